package dev.vestibule.oauth.client;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What came back from a provider with the browser, and what was sent there.
 *
 * @param codeVerifier of the challenge that was sent, where one was
 * @param nonce what was sent, and has to be in the ID token
 * @param issuer the response's parameter {@code iss} (RFC 9207), where it has one
 * @param postedUser the response's parameter {@code user}: JSON, in which Apple tells a name the first time
 */
public record CodeExchange(
        String code,
        String state,
        URI redirectUri,
        @Nullable String codeVerifier,
        String nonce,
        @Nullable String issuer,
        @Nullable String postedUser) {

    /** Without the code, the verifier and all else that is somebody's. */
    @Override
    public String toString() {
        return "CodeExchange[" + redirectUri + "]";
    }
}
