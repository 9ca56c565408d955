package dev.vestibule.project.branding;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Links;
import dev.vestibule.json.Text;
import dev.vestibule.json.UnicodeText;
import dev.vestibule.json.WebUrl;
import java.util.regex.Pattern;

/** The validation rules for a branding's fields. */
final class BrandingFields {
    private static final int MAX_NAME = 100;
    private static final Pattern MARKUP = Pattern.compile("[<>\"'`]");
    private static final Pattern SHORT_COLOR = Pattern.compile("^#([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])\\z");
    private static final Pattern LONG_COLOR = Pattern.compile("#[0-9A-Fa-f]{6}");
    private static final Pattern PROVIDER = Pattern.compile("[a-z][a-z0-9_-]{0,39}");

    private BrandingFields() {}

    /** Clients write it into their page unescaped. */
    static String name(String text) {
        var name = Text.line(text, MAX_NAME);
        if (MARKUP.matcher(name).find()) {
            throw new InvalidValueException("must not contain < > \" ' or ` (an apostrophe can be \u2019)");
        }
        return Links.rejectIn(name);
    }

    /** The brand name for a project that has not set one: the project's own name, which can have any character. */
    static String shownName(String name) {
        return MARKUP.matcher(
                        name.replace('\'', '\u2019').replace('`', '\u2018').replace('"', '\u201d'))
                .replaceAll("");
    }

    /** In the form {@code #rrggbb}, the only one that all clients read. */
    static String color(String text) {
        var color = SHORT_COLOR.matcher(text).replaceFirst("#$1$1$2$2$3$3");
        if (!LONG_COLOR.matcher(color).matches()) {
            throw new InvalidValueException("must be a colour such as #4f46e5 or #fff");
        }
        return UnicodeText.lowerAscii(color);
    }

    /** Clients write it into an attribute unescaped. */
    static String url(String text) {
        var url = WebUrl.absolute(text);
        if (MARKUP.matcher(url).find()) {
            throw new InvalidValueException("must not contain ' (write %27)");
        }
        return url;
    }

    /** The name of a provider, whether the server knows it or not: catalogues change. */
    static String provider(String text) {
        if (!PROVIDER.matcher(text).matches()) {
            throw new InvalidValueException("must be the name of a provider");
        }
        return text;
    }
}
