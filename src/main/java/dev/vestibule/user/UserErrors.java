package dev.vestibule.user;

import dev.vestibule.error.ApiException;
import java.time.Duration;

/** The errors that several endpoints return for a user or an account, so that they say the same everywhere. */
public final class UserErrors {
    private UserErrors() {}

    /** To who has proved an email, and no more. */
    public static ApiException factorRequired() {
        return ApiException.forbidden("This account has a second factor, which a mail cannot replace."
                + " Sign in with your password or a passkey.");
    }

    public static ApiException notFound() {
        return ApiException.notFound("There is no such user.");
    }

    public static ApiException emailTaken() {
        return ApiException.conflict("This email is already registered.");
    }

    public static ApiException externalIdTaken() {
        return ApiException.conflict("Another user has this externalId.");
    }

    public static ApiException banned() {
        return ApiException.forbidden("This account is banned.");
    }

    /** After a way in of one factor, for an account whose second factor is a passkey. */
    public static ApiException passkeyRequired() {
        return ApiException.forbidden(
                "This account has a passkey, which is asked for at every sign in. Sign in with the passkey.",
                "passkey_required");
    }

    /** For its removal. */
    public static ApiException lastSecondFactor() {
        return ApiException.conflict(
                "This project requires a second factor, and this is the last one of this account.");
    }

    /** Another request changes the same account at the same time, and the retries are used up. */
    public static ApiException beingChanged() {
        return ApiException.unavailable("The account is being changed. Try again in a moment.", Duration.ofSeconds(1));
    }
}
