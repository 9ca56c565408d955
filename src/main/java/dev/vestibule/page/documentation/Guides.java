package dev.vestibule.page.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Reads the guides of this release. */
final class Guides {
    /** The start page. */
    static final String START = "start";

    /** The name of each guide's file and of its page, in the order of the menu. */
    static final List<String> SLUGS =
            List.of(START, "verify-tokens", "hosted-page", "sign-in-providers", "webhooks", "migration", "production");

    static final String FOLDER = "/page/documentation/";

    private Guides() {}

    static List<Guide> read() {
        var markdown = new Markdown();
        return SLUGS.stream()
                .map(slug -> markdown.read(slug, resource(slug + ".md")))
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
