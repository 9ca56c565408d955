package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The name of an identity provider in the API, the database and the {@link Catalogue}. */
public record Provider(@JsonValue String name) {
    /** The names with an unusual spelling. */
    private static final Map<String, String> TITLES =
            Map.of("github", "GitHub", "line", "LINE", "oidc", "OpenID Connect");

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,39}");

    /** Empty if no provider can have this name. */
    public static Optional<Provider> find(String text) {
        return NAME.matcher(text).matches() ? Optional.of(new Provider(text)) : Optional.empty();
    }

    /** The provider that a path names; a 404 if no provider can have this name. */
    public static Provider fromPath(String text) {
        return find(text).orElseThrow(Provider::unknown);
    }

    public static RuntimeException unknown() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no provider of this name.");
    }

    /** The name that people know it by. */
    public String title() {
        return TITLES.getOrDefault(name, name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1));
    }

    @Override
    public String toString() {
        return name;
    }
}
