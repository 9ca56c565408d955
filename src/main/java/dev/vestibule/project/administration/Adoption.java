package dev.vestibule.project.administration;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.OtherProjects;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.project.member.Role;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Optional;

/**
 * Gives a project without an owner its new one. It locks the project as every change of members does, so of two
 * administrators only one adopts it, and none while somebody becomes its owner.
 */
final class Adoption {
    private final Database database;
    private final ProjectStore projects = new ProjectStore();
    private final OtherProjects others;
    private final MemberStore members = new MemberStore();
    private final Clock clock;

    Adoption(Database database, Clock clock) {
        this.database = database;
        this.others = new OtherProjects(database);
        this.clock = clock;
    }

    /** A 404 if there is no such project, and a 409 if it has an owner. */
    Future<Void> run(Trail trail, ProjectId project, UserId administrator) {
        if (project.equals(ProjectId.SYSTEM)) {
            throw ApiException.of(ErrorCode.NOT_FOUND, "There is no such project."); // it has no owner, ever
        }
        return database.home()
                .inTransaction(home -> projects.lock(home, project)
                        .compose(locked -> members.hasOtherOwner(home, project, administrator))
                        .compose(owned ->
                                owned ? Future.failedFuture(owned()) : members.role(home, project, administrator))
                        .compose(role -> own(home, project, administrator, role))
                        .compose(done -> others.in(
                                project,
                                home,
                                transaction -> trail.record(
                                        transaction, Logged.PROJECT_ADOPTED, Target.member(administrator.value())))));
    }

    private Future<Void> own(SqlConnection transaction, ProjectId project, UserId administrator, Optional<Role> role) {
        if (role.isEmpty()) {
            return members.add(transaction, project, administrator, Role.OWNER, clock.instant())
                    .mapEmpty();
        }
        return role.get() == Role.OWNER
                ? Future.failedFuture(owned())
                : members.changeRole(transaction, project, administrator, Role.OWNER);
    }

    private static ApiException owned() {
        return ApiException.of(
                ErrorCode.PROJECT_OWNED,
                "The project has an owner, who can invite you. Only one without can be adopted.");
    }
}
