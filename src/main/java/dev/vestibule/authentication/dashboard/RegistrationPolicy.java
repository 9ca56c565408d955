package dev.vestibule.authentication.dashboard;

import dev.vestibule.config.DashboardSettings.Registration;
import dev.vestibule.error.ApiException;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;

/** Decides whether a new dashboard user may register, by the setting {@code dashboard.registration}. */
public final class RegistrationPolicy {
    private final Registration registration;
    private final ProjectStore projects;
    private final UserStore users;

    public RegistrationPolicy(Registration registration, ProjectStore projects, UserStore users) {
        this.registration = registration;
        this.projects = projects;
        this.users = users;
    }

    /** A first check, before a password is hashed. */
    Future<Void> check(SqlClient db) {
        return switch (registration) {
            case OPEN -> Future.succeededFuture();
            case CLOSED -> Future.failedFuture(closed());
            case FIRST ->
                users.anyIn(db, ProjectId.SYSTEM)
                        .compose(any -> any ? Future.failedFuture(closed()) : Future.succeededFuture());
        };
    }

    /** The check that decides. Where only the first user may register, it locks the project, so that two cannot both be. */
    Future<Void> checkInTransaction(SqlClient transaction) {
        return registration == Registration.FIRST
                ? projects.lock(transaction, ProjectId.SYSTEM).compose(locked -> check(transaction))
                : check(transaction);
    }

    private static ApiException closed() {
        return ApiException.forbidden("Registration is closed.");
    }
}
