package dev.vestibule.access;

import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;

/**
 * Restricts dashboard users who act as a user: they see what the user sees, but cannot change anything that gives the
 * user, or anybody else, access. The guard of a route refuses them unless the route allows them, so that new routes are
 * closed by default.
 */
public final class Impersonation {
    private Impersonation() {}

    /** A 403 if someone other than the user is behind the session. */
    public static void refuse(SignedIn caller) {
        if (caller.token().impersonator() != null) {
            throw ApiException.of(
                    ErrorCode.IMPERSONATED_SESSION, "This is not possible while you act as another user.");
        }
    }

    static Caller refuse(Caller caller) {
        if (caller instanceof SignedIn user) {
            refuse(user);
        }
        return caller;
    }
}
