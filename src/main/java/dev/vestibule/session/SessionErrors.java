package dev.vestibule.session;

import dev.vestibule.error.ApiException;

/** The errors that operations on sessions share. */
public final class SessionErrors {
    private SessionErrors() {}

    public static ApiException notFound() {
        return ApiException.notFound("There is no such session. It may have ended.");
    }
}
