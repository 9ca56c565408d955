package dev.vestibule.oauth.identity;

import dev.vestibule.session.SessionId;
import dev.vestibule.user.User;

/** What becomes of somebody whom a provider knows. */
public sealed interface Entry {
    /** A session is open. */
    record Entered(SessionId session, User user) implements Entry {}

    /** There is an account, but its email has to be proven first: the project asks for it, and the provider does not know. */
    record Unverified(String email) implements Entry {}
}
