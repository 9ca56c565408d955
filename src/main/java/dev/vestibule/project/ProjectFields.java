package dev.vestibule.project;

import dev.vestibule.config.WebOrigin;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Text;
import dev.vestibule.json.WebUrl;
import java.net.URI;
import java.util.Locale;
import java.util.Locale.IsoCountryCode;
import java.util.Set;

/** The validation rules of a project's fields. */
final class ProjectFields {
    private static final int MAX_NAME = 100;

    private static final Set<String> COUNTRIES = Locale.getISOCountries(IsoCountryCode.PART1_ALPHA2);

    private ProjectFields() {}

    static String name(String text) {
        return Text.line(text, MAX_NAME);
    }

    /** ISO 3166-1, two letters. */
    static String country(String text) {
        if (!COUNTRIES.contains(text)) {
            throw new InvalidValueException("must be the two capital letters of a country (ISO 3166-1), such as GB");
        }
        return text;
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
