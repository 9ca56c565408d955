package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.ApiException;
import java.util.Optional;
import java.util.regex.Pattern;

/** The name of an identity provider, which the API, the database and the {@link Catalogue} know it by. */
public record Provider(@JsonValue String name) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,39}");

    /** Empty where no provider can have this name. */
    public static Optional<Provider> find(String text) {
        return NAME.matcher(text).matches() ? Optional.of(new Provider(text)) : Optional.empty();
    }

    /** The provider that a path names; a 404 where no provider can have this name. */
    public static Provider fromPath(String text) {
        return find(text).orElseThrow(Provider::unknown);
    }

    public static RuntimeException unknown() {
        return ApiException.notFound("There is no provider of this name.");
    }

    @Override
    public String toString() {
        return name;
    }
}
