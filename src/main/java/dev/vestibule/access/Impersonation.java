package dev.vestibule.access;

import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.error.ApiException;

/**
 * Holds back who acts as a user: they see what the user sees, and change nothing by which the user, or anybody else, is let
 * in. The guard of a route refuses them unless the route's line says otherwise, so that what is added later is closed.
 */
public final class Impersonation {
    private Impersonation() {}

    /** A 403 where someone other than the user is behind the session. */
    public static void refuse(SignedIn caller) {
        if (caller.token().impersonator() != null) {
            throw ApiException.forbidden("This is not possible while you act as another user.", "impersonated_session");
        }
    }

    static Caller refuse(Caller caller) {
        if (caller instanceof SignedIn user) {
            refuse(user);
        }
        return caller;
    }
}
