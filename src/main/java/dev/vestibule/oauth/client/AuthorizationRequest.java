package dev.vestibule.oauth.client;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of the authorization request that sends a browser to a provider.
 *
 * @param nonce the ID token must repeat it, if the provider issues ID tokens
 * @param codeChallenge the S256 challenge (RFC 7636); it is sent only to providers that check it
 * @param prompt what the provider asks the person
 */
public record AuthorizationRequest(
        URI redirectUri,
        String state,
        String nonce,
        @Nullable String codeChallenge,
        Prompt prompt) {

    /**
     * What the provider asks the person.
     *
     * @param loginHint the email that it may suggest
     * @param fresh whether it has to let the person sign in, even if it knows the browser
     */
    public record Prompt(@Nullable String loginHint, boolean fresh) {
        public static final Prompt NONE = new Prompt(null, false);

        @Override
        public String toString() {
            return "Prompt";
        }
    }

    /** Leaves out the values that would let others finish the sign in. */
    @Override
    public String toString() {
        return "AuthorizationRequest[" + redirectUri + "]";
    }
}
