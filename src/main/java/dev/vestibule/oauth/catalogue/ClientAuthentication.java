package dev.vestibule.oauth.catalogue;

import dev.vestibule.error.InvalidValueException;

/** How we prove to a token endpoint who we are (OpenID Connect Core, 9). */
public enum ClientAuthentication {
    BASIC("basic"),
    POST("post"),
    /** The secret is a JWT that we sign with the project's private key. */
    APPLE_JWT("appleJwt");

    private final String text;

    ClientAuthentication(String text) {
        this.text = text;
    }

    /** A field rule. */
    static ClientAuthentication of(String text) {
        for (var value : values()) {
            if (value.text.equals(text)) {
                return value;
            }
        }
        throw new InvalidValueException("must be basic, post or appleJwt");
    }
}
