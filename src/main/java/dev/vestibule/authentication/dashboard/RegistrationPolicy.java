package dev.vestibule.authentication.dashboard;

import dev.vestibule.authentication.PasswordSignUp.Admission;
import dev.vestibule.config.DashboardSettings.Registration;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import org.jspecify.annotations.Nullable;

/** Decides whether a new dashboard user can register, according to the setting {@code dashboard.registration}. */
public final class RegistrationPolicy {
    /** What qualifies the sender of a registration: being at this machine, or knowing the setup code. */
    record Applicant(boolean isLocal, @Nullable String setupCode) {
        @Override
        public String toString() {
            return "Applicant[isLocal=" + isLocal + "]";
        }
    }

    private final Registration registration;
    private final SetupCode setupCode;
    private final ProjectStore projects = new ProjectStore();
    private final UserStore users = new UserStore();

    public RegistrationPolicy(Registration registration, SetupCode setupCode) {
        this.registration = registration;
        this.setupCode = setupCode;
    }

    /**
     * What a registration needs: {@code open}, {@code first}, {@code setupCode} (the first one too) or
     * {@code invitation}.
     */
    Future<String> need(SqlClient db, ProjectId system, boolean isLocal) {
        return switch (registration) {
            case OPEN -> Future.succeededFuture("open");
            case CLOSED -> Future.succeededFuture("invitation");
            case FIRST -> users.anyIn(db, system).map(any -> any ? "invitation" : isLocal ? "first" : "setupCode");
        };
    }

    /** Checks at once, before a password is hashed, and again in the transaction, which decides. */
    Future<Admission> checkRegistration(SqlClient db, Project system, Applicant applicant) {
        return check(db, system, applicant).map(allowed -> new Admission() {
            @Override
            public Future<Void> check(SqlConnection transaction) {
                return checkInTransaction(transaction, system, applicant);
            }
        });
    }

    private Future<Void> check(SqlClient db, Project system, Applicant applicant) {
        return switch (registration) {
            case OPEN -> Future.succeededFuture();
            case CLOSED -> Future.failedFuture(closed());
            case FIRST ->
                users.anyIn(db, ProjectId.SYSTEM)
                        .compose(any -> any ? Future.failedFuture(closed()) : checkFirst(system, applicant));
        };
    }

    private Future<Void> checkFirst(Project system, Applicant applicant) {
        if (applicant.isLocal()) {
            return Future.succeededFuture();
        }
        if (applicant.setupCode() == null) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.SETUP_CODE_REQUIRED,
                    "The first registration from another machine needs setupCode, which the server prints when it"
                            + " starts."));
        }
        return setupCode.matches(system, applicant.setupCode())
                ? Future.succeededFuture()
                : Future.failedFuture(ApiException.of(
                        ErrorCode.WRONG_SETUP_CODE, "The setupCode is wrong. The server prints it when it starts."));
    }

    /** If only the first user can register, locks the project, so that two users cannot both be the first. */
    private Future<Void> checkInTransaction(SqlClient transaction, Project system, Applicant applicant) {
        return registration == Registration.FIRST
                ? projects.lock(transaction, ProjectId.SYSTEM).compose(locked -> check(transaction, system, applicant))
                : check(transaction, system, applicant);
    }

    private static ApiException closed() {
        return ApiException.of(
                ErrorCode.REGISTRATION_CLOSED,
                "Registration is closed: the server's setting dashboard.registration allows no more"
                        + " accounts without an invitation.");
    }
}
