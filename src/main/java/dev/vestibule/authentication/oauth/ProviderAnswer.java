package dev.vestibule.authentication.oauth;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.oauth.client.CodeExchange;
import io.vertx.core.MultiMap;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a provider has sent back with the browser: a code or an error (RFC 6749, 4.1.2; RFC 9207). */
record ProviderAnswer(
        Optional<String> code,
        Optional<String> error,
        @Nullable String issuer,
        @Nullable String postedUser) {
    /** The reason of a 403 that is the person's own choice. */
    private static final Set<String> CANCELLATIONS =
            Set.of("access_denied", "user_cancelled_login", "user_cancelled_authorize");

    static ProviderAnswer of(MultiMap parameters) {
        return new ProviderAnswer(
                OauthFields.parameter(parameters, "code"),
                OauthFields.parameter(parameters, "error"),
                OauthFields.parameter(parameters, "iss").orElse(null),
                OauthFields.parameter(parameters, "user").orElse(null));
    }

    /** Whether nobody can sign in with it. */
    boolean isRefusal() {
        return code.isEmpty() || error.isPresent();
    }

    /** Whether the person cancelled the sign in. */
    boolean isCancelled() {
        return error.filter(CANCELLATIONS::contains).isPresent();
    }

    /** The error for a refusal. */
    ApiException refusal() {
        if (isCancelled()) {
            return ApiException.of(ErrorCode.CANCELLED, "The sign in was cancelled.");
        }
        return ApiException.of(
                ErrorCode.PROVIDER_FAILED,
                switch (error.orElse("")) {
                    case "temporarily_unavailable", "server_error" ->
                        "The provider is temporarily unavailable. Try again later.";
                    default -> "The provider refused the sign in.";
                });
    }

    /**
     * What the provider exchanges for an identity; only for an answer that is not a refusal.
     *
     * @param signedInSince when the person has signed in at the earliest; null for any time
     * @param mustNameIssuer true if this server received the answer, because it then sees all of it
     */
    CodeExchange exchange(
            StateToken token,
            URI redirectUri,
            String codeVerifier,
            @Nullable Instant signedInSince,
            boolean mustNameIssuer) {
        return new CodeExchange(
                code.orElseThrow(),
                token.text(),
                redirectUri,
                codeVerifier,
                token.nonce(),
                signedInSince,
                issuer,
                mustNameIssuer,
                postedUser);
    }

    @Override
    public String toString() {
        return "ProviderAnswer";
    }
}
