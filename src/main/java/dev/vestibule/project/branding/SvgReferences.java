package dev.vestibule.project.branding;

import dev.vestibule.json.UnicodeText;
import java.util.List;

/**
 * Finds what an attribute value or a style of an SVG image refers to. It reads a text once and uses no regular
 * expressions, which an attacker can easily make backtrack over blanks.
 */
final class SvgReferences {
    private static final String URL = "url(";
    private static final List<String> IMAGES =
            List.of("data:image/png;", "data:image/jpeg;", "data:image/gif;", "data:image/webp;");
    private static final String BASE64 = "base64,";

    /** CSS that loads something, and the backslash, since CSS escapes could hide it from a search. */
    private static final List<String> LOADING = List.of("\\", "@import", "image-set(", "src(");

    private SvgReferences() {}

    /** Whether the whole text is a reference into the image itself, an embedded picture, or empty. */
    static boolean isInternal(String reference) {
        var start = afterBlanks(reference, 0);
        return start == reference.length()
                || reference.charAt(start) == '#'
                || IMAGES.stream().anyMatch(image -> reference.startsWith(image + BASE64, start));
    }

    /** Whether the CSS would load anything from outside of the image. */
    static boolean loads(String css) {
        var text = UnicodeText.lowerAscii(css);
        if (LOADING.stream().anyMatch(text::contains)) {
            return true;
        }
        for (int at = text.indexOf(URL); at >= 0; at = text.indexOf(URL, at + URL.length())) {
            if (!isInternalUrl(text, at + URL.length())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isInternalUrl(String text, int from) {
        var quote = afterBlanks(text, from);
        var isQuoted = quote < text.length() && (text.charAt(quote) == '"' || text.charAt(quote) == '\'');
        var start = isQuoted ? afterBlanks(text, quote + 1) : quote;
        return text.startsWith("#", start) || IMAGES.stream().anyMatch(image -> text.startsWith(image, start));
    }

    /** Skips the blanks of XML and CSS. */
    private static int afterBlanks(String text, int from) {
        var at = from;
        while (at < text.length() && " \t\n\r\f\u000b".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }
}
