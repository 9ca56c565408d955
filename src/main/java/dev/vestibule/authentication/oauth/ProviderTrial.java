package dev.vestibule.authentication.oauth;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.error.ApiException;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.ProviderException;
import dev.vestibule.oauth.client.ProviderIdentity;
import java.net.URI;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A sign in with which an owner of a project tries a provider, and its result. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ProviderTrial(
        Provider provider,
        String status,
        @Nullable URI url,
        Instant begunAt,
        @Nullable Instant expiresAt,
        @Nullable Problem problem,
        @Nullable Told identity) {

    /** Why nobody could sign in like this: a word for programs and a sentence for people to read. */
    record Problem(String kind, String message) {
        /**
         * What providers write (RFC 6749, 4.1.2.1, OpenID Connect Core, 3.1.2.6, and GitHub's); others are not quoted.
         */
        private static final Set<String> ERRORS = Set.of(
                "invalid_request",
                "unauthorized_client",
                "unsupported_response_type",
                "invalid_scope",
                "server_error",
                "temporarily_unavailable",
                "invalid_client",
                "redirect_uri_mismatch",
                "application_suspended",
                "login_required",
                "consent_required",
                "interaction_required",
                "account_selection_required");

        static final Problem INTERNAL = new Problem("internal", "Something went wrong on our side. Try again.");
        static final Problem REMOVED = new Problem("removed", "The provider is no longer set up.");

        static Problem of(Throwable failure) {
            if (failure instanceof ProviderException known) {
                return new Problem(
                        known.kind().name().toLowerCase(Locale.ROOT), known.message() + " (" + known.finding() + ")");
            }
            return failure instanceof ApiException refused ? new Problem("unusable", refused.message()) : INTERNAL;
        }

        /** What the provider has sent back with the browser, whether an error or nothing. */
        static Problem ofRefusal(ProviderAnswer answer) {
            if (answer.isCancelled()) {
                return new Problem("cancelled", "The sign in was cancelled at the provider.");
            }
            return new Problem(
                    "refused",
                    answer.error()
                            .filter(ERRORS::contains)
                            .map(error -> "The provider refused the sign in with the error " + error + ".")
                            .orElse("The provider refused the sign in."));
        }
    }

    /** The user whom the provider identified, by the rules of real sign ins. */
    record Told(
            String subject,
            @Nullable String email,
            boolean emailVerified,
            @Nullable String displayName) {
        static Told of(ProviderIdentity identity) {
            return new Told(identity.subject(), identity.email(), identity.emailVerified(), identity.displayName());
        }
    }

    /** A trial that has begun. */
    static ProviderTrial begun(Provider provider, URI url, Instant begunAt, Instant expiresAt) {
        return new ProviderTrial(provider, "pending", url, begunAt, expiresAt, null, null);
    }

    /** A trial that could not even begin. */
    static ProviderTrial failed(Provider provider, Instant at, Problem problem) {
        return new ProviderTrial(provider, "failed", null, at, null, problem, null);
    }
}
