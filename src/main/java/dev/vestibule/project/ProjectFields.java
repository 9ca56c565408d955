package dev.vestibule.project;

import dev.vestibule.config.WebOrigin;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Text;
import dev.vestibule.json.WebUrl;
import java.net.URI;

/** The validation rules of a project's fields. */
final class ProjectFields {
    private static final int MAX_NAME = 100;

    private ProjectFields() {}

    static String name(String text) {
        return Text.line(text, MAX_NAME);
    }

    /** A web origin, as browsers send it. */
    static String origin(String text) {
        var url = URI.create(WebUrl.absolute(text));
        if (url.getRawUserInfo() != null
                || !(url.getRawPath().isEmpty() || url.getRawPath().equals("/"))
                || url.getRawQuery() != null
                || url.getRawFragment() != null) {
            throw new InvalidValueException("must be an origin, such as https://app.example.com");
        }
        return WebOrigin.of(url);
    }
}
