package dev.vestibule.oauth.server;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A client of a project's authorization server, as the API returns it; its secrets are stored separately.
 *
 * @param postLogoutRedirectUris where the browser may go after a sign out
 * @param firstParty asks no consent
 * @param authentication at the token endpoint: {@code none}, {@code client_secret_basic}, {@code client_secret_post},
 *     or {@code any} of these two, {@code private_key_jwt}, or {@code federated_identity}
 * @param jwks the public keys that it signs with; null for a client with a secret, or with a {@code jwksUri}
 * @param federatedIdentities the workloads elsewhere that are this client
 * @param requirePkce whether an authorization request needs a code challenge
 * @param requirePushedRequests whether authorization requests have to come from the client and not from the browser
 * @param deviceFlow whether people may sign in to it on another device (RFC 8628)
 * @param tokenExchange whether it may exchange the tokens of others for narrower ones of its own (RFC 8693)
 * @param dpopBoundAccessTokens whether it gets only tokens that are bound to its key (RFC 9449, 5.2)
 * @param claimsInIdToken whether ID tokens have the user's claims too, which userinfo has in any case
 * @param apiScopes the scopes that a service account may have, by API
 * @param resource the audience of the tokens that an API may ask about
 * @param registeredItself whether nobody of the project knows it (RFC 7591)
 */
public record Client(
        @JsonProperty("clientId") String id,
        ClientKind kind,
        String name,
        List<String> redirectUris,
        List<String> postLogoutRedirectUris,
        boolean firstParty,
        String authentication,
        @Nullable Map<String, Object> jwks,
        @Nullable String jwksUri,
        List<FederatedIdentity> federatedIdentities,
        boolean requirePkce,
        boolean requirePushedRequests,
        boolean deviceFlow,
        boolean tokenExchange,
        boolean dpopBoundAccessTokens,
        String idTokenAlgorithm,
        boolean claimsInIdToken,
        Map<String, List<String>> apiScopes,
        @Nullable String resource,
        boolean registeredItself,
        @JsonIgnore @Nullable Instant freshUntil,
        Instant createdAt,
        Instant updatedAt) {
    static final String NONE = "none";

    /** A client signs with a key of its own (RFC 7523, 2.2). */
    static final String PRIVATE_KEY_JWT = "private_key_jwt";

    /** The issuer of a workload signs for it. */
    static final String FEDERATED_IDENTITY = "federated_identity";

    private static final List<String> ASSERTIONS = List.of(PRIVATE_KEY_JWT, FEDERATED_IDENTITY);
    static final String ANY = "any";

    private static final Pattern LOOPBACK = Pattern.compile(
            "http://(127\\.0\\.0\\.1|\\[::1]|localhost)(?::(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}"
                    + "|655[0-2]\\d|6553[0-5]))?(/[^#]*)?");

    /** Compares character by character, except for the port of a loopback address (RFC 8252, 7.3). */
    boolean allowsRedirect(String uri) {
        return redirectUris.contains(uri)
                || (kind.usesLoopback()
                        && redirectUris.stream().anyMatch(registered -> isSameButPort(registered, uri)));
    }

    private static boolean isSameButPort(String registered, String given) {
        var one = LOOPBACK.matcher(registered);
        var other = LOOPBACK.matcher(given);
        return one.matches()
                && other.matches()
                && one.group(1).equals(other.group(1))
                && String.valueOf(one.group(2)).equals(String.valueOf(other.group(2)));
    }

    /** Whether it can have people sent to where nobody has read that they go when they agreed. */
    boolean leadsElsewhereThan(Client before) {
        return !before.redirectUris().containsAll(redirectUris);
    }

    static boolean isLoopback(String uri) {
        return LOOPBACK.matcher(uri).matches();
    }

    @JsonIgnore
    boolean isPublic() {
        return authentication.equals(NONE);
    }

    /** Whether somebody of the project has registered it; anybody can make the others. */
    @JsonIgnore
    boolean isOfOwner() {
        return kind != ClientKind.DOCUMENT && !registeredItself;
    }

    @JsonIgnore
    boolean hasSecrets() {
        return !isPublic() && !ASSERTIONS.contains(authentication);
    }
}
