package dev.vestibule.oauth.client;

import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a provider's authorization response contained, and what the request had sent.
 *
 * @param codeVerifier belongs to the challenge that was sent; null without a challenge
 * @param nonce the nonce that was sent, which the ID token must repeat
 * @param signedInSince when the person has signed in at the earliest, if the ID token says so; null for any time
 * @param issuer the response's parameter {@code iss} (RFC 9207), if present
 * @param mustNameIssuer whether the issuer is required from providers that announce to send it
 * @param postedUser the response's parameter {@code user}: JSON in which Apple sends the name at a user's first sign in
 */
public record CodeExchange(
        String code,
        String state,
        URI redirectUri,
        @Nullable String codeVerifier,
        String nonce,
        @Nullable Instant signedInSince,
        @Nullable String issuer,
        boolean mustNameIssuer,
        @Nullable String postedUser) {

    /** Leaves out the code, the verifier and all personal data. */
    @Override
    public String toString() {
        return "CodeExchange[" + redirectUri + "]";
    }
}
