package dev.vestibule.user;

import org.jspecify.annotations.Nullable;

/** A user with the password hash. */
public record Account(User user, @Nullable String passwordHash) {
    /** Redacted, so that a hash never reaches a log. */
    @Override
    public String toString() {
        return "Account[" + user.id() + "]";
    }
}
