package dev.vestibule.user;

import dev.vestibule.error.ApiException;
import java.time.Duration;

/** The errors that several endpoints return for a user or an account, with the same message everywhere. */
public final class UserErrors {
    private UserErrors() {}

    /** For somebody who has only proved an email. */
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

    /** After a sign in with one factor, for an account with a passkey as its second factor. */
    public static ApiException passkeyRequired() {
        return ApiException.forbidden(
                "This account has a passkey, which is asked for at every sign in. Sign in with the passkey.",
                "passkey_required");
    }

    /** Refuses the removal of the last second factor. */
    public static ApiException lastSecondFactor() {
        return ApiException.conflict(
                "This project requires a second factor, and this is the last one of this account.");
    }

    /** Another request is changing the same account, and all retries are used up. */
    public static ApiException beingChanged() {
        return ApiException.unavailable("The account is being changed. Try again in a moment.", Duration.ofSeconds(1));
    }
}
