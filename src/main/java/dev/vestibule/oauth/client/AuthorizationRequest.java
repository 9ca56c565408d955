package dev.vestibule.oauth.client;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What a browser is sent to a provider with.
 *
 * @param nonce what the ID token has to repeat, where the provider gives one
 * @param codeChallenge by S256 (RFC 7636); left out where the provider does not check it
 */
public record AuthorizationRequest(
        URI redirectUri,
        String state,
        String nonce,
        @Nullable String codeChallenge) {

    /** Without what would let others finish the sign in. */
    @Override
    public String toString() {
        return "AuthorizationRequest[" + redirectUri + "]";
    }
}
