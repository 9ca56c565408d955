package dev.vestibule.page.hosted;

import dev.vestibule.project.branding.Branding;
import dev.vestibule.project.branding.CssColors;
import dev.vestibule.project.branding.DefaultBranding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The style sheet of the page: its own rules, the project's colours, and the project's checked rules. */
final class HostedStyle {
    private final String rules;

    HostedStyle() {
        try (var file = Objects.requireNonNull(HostedStyle.class.getResourceAsStream("/page/hosted/page.css"))) {
            rules = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    String of(Branding branding) {
        var start = CssColors.opaque(branding.primaryColorStart(), DefaultBranding.PRIMARY_START);
        var end = CssColors.opaque(branding.primaryColorEnd(), DefaultBranding.PRIMARY_END);
        return """
                :root { --start: %s; --end: %s; --on-accent: %s; --radius: %dpx;
                --light-bg: %s; --light-text: %s; --dark-bg: %s; --dark-text: %s; }
                """.formatted(
                                start,
                                end,
                                CssColors.readableOn(start, end),
                                Math.max(0, Math.min(64, branding.borderRadius())),
                                CssColors.opaque(branding.lightBg(), DefaultBranding.LIGHT_BACKGROUND),
                                CssColors.opaque(branding.lightText(), DefaultBranding.LIGHT_TEXT),
                                CssColors.opaque(branding.darkBg(), DefaultBranding.DARK_BACKGROUND),
                                CssColors.opaque(branding.darkText(), DefaultBranding.DARK_TEXT))
                + rules
                + branding.customCss();
    }
}
