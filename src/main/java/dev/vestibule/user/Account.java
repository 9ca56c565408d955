package dev.vestibule.user;

import dev.vestibule.project.Project;
import org.jspecify.annotations.Nullable;

/** A user with the password hash that a sign in compares. */
public record Account(User user, @Nullable String passwordHash) {
    public SecondFactor secondFactor(Project project) {
        return user.secondFactor(project);
    }

    public boolean hasSecondFactor(Project project) {
        return user.hasSecondFactor(project);
    }

    /** Redacted, so that a hash never reaches a log. */
    @Override
    public String toString() {
        return "Account[" + user.id() + "]";
    }
}
