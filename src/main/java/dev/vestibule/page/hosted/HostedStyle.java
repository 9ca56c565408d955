package dev.vestibule.page.hosted;

import dev.vestibule.project.branding.Branding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/** The style sheet of the page: its own rules, the project's colours, and the project's rules, which were checked. */
final class HostedStyle {
    private static final Pattern COLOR = Pattern.compile("#[0-9a-f]{6}");
    private static final String LIGHT = "#ffffff";
    private static final String DARK = "#111827";

    private final String rules;

    HostedStyle() {
        try (var file = Objects.requireNonNull(HostedStyle.class.getResourceAsStream("/page/hosted/page.css"))) {
            rules = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    String of(Branding branding) {
        var start = color(branding.primaryColorStart(), "#4f46e5");
        var end = color(branding.primaryColorEnd(), "#7c3aed");
        return """
                :root { --start: %s; --end: %s; --on-accent: %s; --radius: %dpx;
                --light-bg: %s; --light-text: %s; --dark-bg: %s; --dark-text: %s; }
                """.formatted(
                                start,
                                end,
                                readableOn(start, end),
                                Math.max(0, Math.min(64, branding.borderRadius())),
                                color(branding.lightBg(), LIGHT),
                                color(branding.lightText(), DARK),
                                color(branding.darkBg(), "#0b1020"),
                                color(branding.darkText(), "#f9fafb"))
                + rules
                + branding.customCss();
    }

    private static String color(String text, String otherwise) {
        return COLOR.matcher(text).matches() ? text : otherwise;
    }

    /** White or almost black, depending on which can be read on both. */
    private static String readableOn(String start, String end) {
        return Math.min(contrast(LIGHT, start), contrast(LIGHT, end))
                        >= Math.min(contrast(DARK, start), contrast(DARK, end))
                ? LIGHT
                : DARK;
    }

    /** By WCAG 2.2. */
    private static double contrast(String text, String background) {
        var a = luminance(text);
        var b = luminance(background);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    private static double luminance(String color) {
        var rgb = DoubleStream.of(
                        Integer.parseInt(color.substring(1, 3), 16),
                        Integer.parseInt(color.substring(3, 5), 16),
                        Integer.parseInt(color.substring(5), 16))
                .map(channel -> channel / 255)
                .map(channel -> channel <= 0.04045 ? channel / 12.92 : Math.pow((channel + 0.055) / 1.055, 2.4))
                .toArray();
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    }
}
