package dev.vestibule.authentication.passkey;

import dev.vestibule.authentication.passkey.RefusedPasskeyException.Reason;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;

/** The errors for a refused passkey. */
final class PasskeyErrors {
    private static final String NOT_SIGNED_IN = "This passkey could not sign in. Try again.";

    private PasskeyErrors() {}

    static ApiException unknown() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such passkey.");
    }

    /** One error for everything that can be wrong, except the page's own settings. */
    static ApiException notRegistered(Reason reason) {
        return refused(
                ErrorCode.INVALID_PASSKEY_REGISTRATION, reason, "The passkey could not be registered. Try again.");
    }

    /**
     * One error for an unknown passkey, a wrong signature and a used challenge, so that it does not reveal which
     * passkeys exist.
     */
    static ApiException notSignedIn() {
        return ApiException.of(ErrorCode.INVALID_PASSKEY, NOT_SIGNED_IN);
    }

    /** The response to mistakes that show without looking up the passkey: it says what the page can do about them. */
    static ApiException notPresented(Reason reason) {
        return refused(ErrorCode.INVALID_PASSKEY, reason, NOT_SIGNED_IN);
    }

    private static ApiException refused(ErrorCode code, Reason reason, String otherwise) {
        return ApiException.of(
                code,
                switch (reason) {
                    case FOREIGN_ORIGIN ->
                        "This page or app does not belong to the project: add its origin to allowedOrigins"
                                + " or passkeyOrigins, at or below the passkeys' domain.";
                    case FRAMED -> "Passkeys cannot be used in a frame of another origin.";
                    case FOREIGN_DOMAIN -> "This passkey is bound to a different domain than the project's.";
                    case UNKNOWN_KEY -> "This authenticator creates a kind of key that is not supported.";
                    default -> otherwise;
                });
    }
}
