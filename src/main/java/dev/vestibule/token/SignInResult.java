package dev.vestibule.token;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.User;
import java.util.Map;

/** The result of a sign in or sign up. */
public sealed interface SignInResult {
    /** The session is open. */
    record Completed(SessionId session, Authentication authentication, User user) implements SignInResult {}

    /** The project requires a verified email, so no session was opened; the client gets this as the response. */
    record VerificationRequired(String status, String message, boolean needsVerification, String email)
            implements SignInResult, SignInResponse {
        public static VerificationRequired of(String email) {
            return new VerificationRequired(
                    "verification_required", "Confirm your email with the code that was sent to it.", true, email);
        }
    }

    /**
     * The first factor was right and the account has a second one, so no session was opened; the client gets this as
     * the response.
     */
    record FactorRequired(boolean mfaRequired, String mfaToken) implements SignInResult, SignInResponse {
        public static FactorRequired of(String token) {
            return new FactorRequired(true, token);
        }

        /** Redacted, so that a token never reaches a log. */
        @Override
        public String toString() {
            return "FactorRequired";
        }
    }

    /** One factor was proved, but not what the project or the account needs, so no session was opened. */
    record Refused(ApiException error) implements SignInResult {}

    /**
     * The person has authenticated, but has not set up the second factor that the project requires, and the time for it
     * is over; so no session was opened. The token lets them set it up. Clients get this as an error, since they would
     * take anything else for tokens.
     */
    record EnrolmentRequired(String mfaToken) implements SignInResult {
        public ApiException error() {
            return ApiException.of(
                    ErrorCode.MFA_ENROLLMENT_REQUIRED,
                    "This project requires a second factor. Set up an authenticator app to sign in.",
                    Map.of("mfaEnrollmentRequired", true, "mfaToken", mfaToken));
        }

        /** Redacted, so that a token never reaches a log. */
        @Override
        public String toString() {
            return "EnrolmentRequired";
        }
    }
}
