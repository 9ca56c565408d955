package dev.vestibule.user;

import dev.vestibule.error.ApiException;
import java.time.Duration;

/** The errors that several endpoints return for a user or an account, so that they say the same everywhere. */
public final class UserErrors {
    private UserErrors() {}

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

    /** Another request changes the same account at the same time, and the retries are used up. */
    public static ApiException beingChanged() {
        return ApiException.unavailable("The account is being changed. Try again in a moment.", Duration.ofSeconds(1));
    }
}
