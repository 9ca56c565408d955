package dev.vestibule.oauth.client;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of the authorization request that sends a browser to a provider.
 *
 * @param nonce the ID token must repeat it, if the provider issues ID tokens
 * @param codeChallenge the S256 challenge (RFC 7636); it is sent only to providers that check it
 * @param loginHint the email that the provider may suggest to the person
 */
public record AuthorizationRequest(
        URI redirectUri,
        String state,
        String nonce,
        @Nullable String codeChallenge,
        @Nullable String loginHint) {

    /** Leaves out the values that would let others finish the sign in. */
    @Override
    public String toString() {
        return "AuthorizationRequest[" + redirectUri + "]";
    }
}
