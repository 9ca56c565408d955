package dev.vestibule.session;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;

/** The errors that operations on sessions share. */
public final class SessionErrors {
    private SessionErrors() {}

    public static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such session. It may have ended.");
    }
}
