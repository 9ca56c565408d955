package dev.vestibule.oauth.server;

import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.jose.SignedAssertion;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** An error in the form of RFC 6749, 5.2, which clients of the authorization server understand. */
public final class OauthError extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final String error;
    private final int status;
    private final String challenge;

    private OauthError(int status, String error, String description, String challenge) {
        super(description, null, false, false);
        this.status = status;
        this.error = error;
        this.challenge = challenge;
    }

    /** RFC 9449, 5. */
    static final String INVALID_PROOF = "invalid_dpop_proof";

    static OauthError of(String error, String description) {
        return new OauthError(BAD_REQUEST, error, description, "");
    }

    static OauthError invalidRequest(String description) {
        return of("invalid_request", description);
    }

    static OauthError invalidGrant(String description) {
        return of("invalid_grant", description);
    }

    static OauthError unauthorizedClient() {
        return of("unauthorized_client", "This client cannot use this grant_type.");
    }

    static OauthError invalidClient(String description) {
        return new OauthError(UNAUTHORIZED, "invalid_client", description, "");
    }

    static OauthError invalidClient(boolean triedBasic) {
        return new OauthError(
                UNAUTHORIZED,
                "invalid_client",
                "The client is unknown, or its authentication is missing or wrong.",
                triedBasic ? "Basic realm=\"token endpoint\"" : "");
    }

    /** RFC 6750, 3.1. */
    static OauthError invalidToken() {
        return new OauthError(
                UNAUTHORIZED,
                "invalid_token",
                "The access token is invalid, expired or revoked.",
                "Bearer error=\"invalid_token\"");
    }

    /** RFC 6750, 3: a request without a token is told no error. */
    static OauthError noToken() {
        return new OauthError(UNAUTHORIZED, "invalid_token", "An access token is required.", "Bearer");
    }

    /** RFC 9449, 7.1: the token, or what was to prove that the caller may use it. */
    static OauthError needsProof(String error, String description) {
        return new OauthError(
                UNAUTHORIZED,
                error,
                description,
                "DPoP error=\"" + error + "\", algs=\"" + String.join(" ", SignedAssertion.ALGORITHMS) + "\"");
    }

    static OauthError insufficientScope(String scope) {
        return new OauthError(
                FORBIDDEN,
                "insufficient_scope",
                "The access token has not the scope " + scope + ".",
                "Bearer error=\"insufficient_scope\", scope=\"" + scope + "\"");
    }

    String error() {
        return error;
    }

    String description() {
        return String.valueOf(getMessage());
    }

    Reply reply() {
        var body = new LinkedHashMap<String, Object>();
        body.put("error", error);
        body.put("error_description", description());
        var headers = new HashMap<>(Map.of(
                "Content-Type", "application/json", "Cache-Control", "no-store", "Referrer-Policy", "no-referrer"));
        if (!challenge.isEmpty()) {
            headers.put("WWW-Authenticate", challenge);
        }
        return new Reply(status, Json.encode(body), Map.copyOf(headers));
    }
}
