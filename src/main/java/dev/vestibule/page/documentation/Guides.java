package dev.vestibule.page.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Reads the guides of this release. */
final class Guides {
    /** Guides that stand together in the menu, under a heading; that of the start page is empty. */
    public record GuideGroup(String title, List<Guide> guides) {}

    /** The start page. */
    static final String START = "start";

    private static final List<Heading> MENU = List.of(
            new Heading("", START),
            new Heading(
                    "Sign in",
                    "hosted-page",
                    "sign-in-providers",
                    "enterprise-sso",
                    "links-and-codes",
                    "sms",
                    "passkeys",
                    "second-factors",
                    "bots"),
            new Heading(
                    "Tokens and sessions", "verify-tokens", "revocation", "roles", "sessions", "oauth-clients", "mcp"),
            new Heading(
                    "Back end and support",
                    "webhooks",
                    "api-keys",
                    "scim",
                    "audit-log",
                    "impersonation",
                    "test-tokens"),
            new Heading(
                    "Operation", "members", "production", "administration", "postgresql", "mail-texts", "migration"));

    /** The name of each guide's file and of its page, in the order of the menu. */
    static final List<String> SLUGS =
            MENU.stream().flatMap(heading -> heading.slugs.stream()).toList();

    static final String FOLDER = "/page/documentation/";

    private record Heading(String title, List<String> slugs) {
        Heading(String title, String... slugs) {
            this(title, List.of(slugs));
        }
    }

    private Guides() {}

    /** All guides by the headings of the menu. */
    static List<GuideGroup> read() {
        var markdown = new Markdown();
        return MENU.stream()
                .map(heading -> new GuideGroup(
                        heading.title,
                        heading.slugs.stream()
                                .map(slug -> markdown.read(slug, resource(slug + ".md")))
                                .toList()))
                .toList();
    }

    static String resource(String name) {
        try (var file = Objects.requireNonNull(Guides.class.getResourceAsStream(FOLDER + name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
