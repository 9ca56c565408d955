package dev.vestibule.access;

import dev.vestibule.config.DashboardSettings;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.user.User;
import dev.vestibule.user.UserFields;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The dashboard users who administrate the server: those whom the configuration names, and nobody else, so no request
 * and no row of the database can make one. An email counts once it is verified: before that, anybody may have
 * registered with it.
 */
public final class Administrators {
    private final Set<String> emails;

    public Administrators(DashboardSettings settings) {
        this.emails = settings.administrators().stream().map(UserFields::email).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the dashboard user is one of them. */
    public boolean include(User dashboardUser) {
        var email = dashboardUser.email();
        return email != null && dashboardUser.emailVerified() && emails.contains(email);
    }

    /** A 403 if the dashboard user is none of them. */
    void require(User dashboardUser) {
        if (!include(dashboardUser)) {
            throw ApiException.of(
                    ErrorCode.ADMINISTRATOR_REQUIRED,
                    "Only an administrator of this server can do this: an account whose email is verified, and is in the"
                            + " server's setting dashboard.administrators.");
        }
    }
}
