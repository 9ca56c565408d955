package dev.vestibule.session;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;

/** The errors that operations on sessions share. */
public final class SessionErrors {
    private SessionErrors() {}

    /** The session that an operation looked at again, under the lock of the user's row, has ended. */
    public static ApiException ended() {
        return ApiException.of(ErrorCode.SESSION_ENDED, "The session has ended.");
    }

    public static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such session. It may have ended.");
    }
}
