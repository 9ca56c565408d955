package dev.vestibule.user;

import dev.vestibule.error.ApiError;
import dev.vestibule.error.ApiException;
import java.time.Duration;

/** The errors that several endpoints return for a user or an account, so that they say the same everywhere. */
public final class UserErrors {
    private UserErrors() {}

    public static ApiException notFound() {
        return ApiError.notFound("There is no such user.");
    }

    public static ApiException emailTaken() {
        return ApiError.conflict("This email is already registered.");
    }

    public static ApiException banned() {
        return ApiError.forbidden("This account is banned.");
    }

    /** Another request changes the same account at the same time, and the retries are used up. */
    public static ApiException beingChanged() {
        return ApiError.unavailable("The account is being changed. Try again in a moment.", Duration.ofSeconds(1));
    }
}
