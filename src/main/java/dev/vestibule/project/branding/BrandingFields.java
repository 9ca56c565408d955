package dev.vestibule.project.branding;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Text;
import java.util.regex.Pattern;

/** The validation rules of a branding's fields. */
final class BrandingFields {
    private static final int MAX_NAME = 100;
    private static final Pattern COLOR = Pattern.compile("#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})");

    private BrandingFields() {}

    static String name(String text) {
        return Text.line(text, MAX_NAME);
    }

    static String color(String text) {
        if (!COLOR.matcher(text).matches()) {
            throw new InvalidValueException("must be a colour such as #4f46e5, #fff or #4f46e580");
        }
        return text;
    }
}
