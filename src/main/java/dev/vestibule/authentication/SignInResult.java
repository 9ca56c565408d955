package dev.vestibule.authentication;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.token.TokenResponse;

/** What a right password gets: tokens, or, where the project asks for it, the request to prove the email first. */
public sealed interface SignInResult {
    /** The session is open. */
    record Completed(@JsonValue TokenResponse tokens) implements SignInResult {}

    /** A code was sent to the email, as far as the address may get one. */
    record VerificationRequired(String status, String message, boolean needsVerification, String email)
            implements SignInResult {
        public static VerificationRequired of(String email) {
            return new VerificationRequired(
                    "verification_required", "Confirm your email with the code that was sent to it.", true, email);
        }
    }
}
