package dev.vestibule.provider;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The identity providers that users can be known by, in the order in which login pages offer them. */
public enum Provider {
    GOOGLE,
    GITHUB,
    KAKAO,
    APPLE,
    MICROSOFT,
    FACEBOOK,
    DISCORD,
    NAVER,
    LINE,
    X,
    /** Any other that speaks OpenID Connect. */
    OIDC;

    private static final String NAMES =
            Arrays.stream(values()).map(Provider::text).collect(Collectors.joining(", "));

    /** The name that the API and the database know it by. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Empty where nobody has this name. */
    public static Optional<Provider> find(String text) {
        return Arrays.stream(values())
                .filter(provider -> provider.text().equals(text))
                .findFirst();
    }

    /** A field rule. */
    public static Provider of(String text) {
        return find(text).orElseThrow(() -> new InvalidValue("must be one of " + NAMES));
    }
}
