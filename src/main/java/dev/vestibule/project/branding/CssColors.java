package dev.vestibule.project.branding;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** CSS colours of a branding in the form that every client, including mail clients, understands: {@code #rrggbb}. */
public final class CssColors {
    private static final Pattern SHORT = Pattern.compile("#[0-9A-Fa-f]{3}");
    private static final Pattern LONG = Pattern.compile("#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?");
    private static final int HEX_LENGTH = 7;
    private static final String LIGHT = "#ffffff";
    private static final String DARK = "#111827";

    private CssColors() {}

    /** The colour without its transparency, or the default if there is no valid one. */
    public static String opaque(@Nullable String color, String defaultColor) {
        if (color == null) {
            return defaultColor;
        }
        if (SHORT.matcher(color).matches()) {
            return "#"
                    + color.substring(1)
                            .chars()
                            .mapToObj(digit -> Character.toString(digit).repeat(2))
                            .collect(Collectors.joining());
        }
        return LONG.matcher(color).matches() ? color.substring(0, HEX_LENGTH) : defaultColor;
    }

    /** White or almost black, whichever has the higher contrast ratio (WCAG 2.2) on the worst of the backgrounds. */
    public static String readableOn(String... backgrounds) {
        return minContrast(LIGHT, backgrounds) >= minContrast(DARK, backgrounds) ? LIGHT : DARK;
    }

    private static double minContrast(String text, String... backgrounds) {
        return Arrays.stream(backgrounds)
                .mapToDouble(background -> contrast(text, background))
                .min()
                .orElseThrow();
    }

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
