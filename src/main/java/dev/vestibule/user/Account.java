package dev.vestibule.user;

import org.jspecify.annotations.Nullable;

/**
 * A user with what a sign in compares.
 *
 * @param hasSecondFactor whether the password alone opens no session
 */
public record Account(User user, @Nullable String passwordHash, boolean hasSecondFactor) {
    /** Redacted, so that a hash never reaches a log. */
    @Override
    public String toString() {
        return "Account[" + user.id() + "]";
    }
}
