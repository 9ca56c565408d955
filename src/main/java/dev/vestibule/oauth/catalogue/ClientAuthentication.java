package dev.vestibule.oauth.catalogue;

/** How we authenticate to a token endpoint (OpenID Connect Core, 9). */
public enum ClientAuthentication {
    BASIC("basic"),
    POST("post"),
    /** The secret is a JWT that we sign with the project's private key. */
    APPLE_JWT("appleJwt");

    private final String text;

    ClientAuthentication(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
