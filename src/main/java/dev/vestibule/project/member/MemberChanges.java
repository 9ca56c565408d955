package dev.vestibule.project.member;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;

/** Changes the members of a project, one change at a time, so that a project always has an owner. */
public final class MemberChanges {
    private final Database database;
    private final ProjectStore projects;
    private final MemberStore members;

    public MemberChanges(Database database, ProjectStore projects, MemberStore members) {
        this.database = database;
        this.projects = projects;
        this.members = members;
    }

    /** Returns the new member; a 409 if the dashboard user is a member already. */
    public Future<Member> add(ProjectId project, UserId dashboardUser, Role role, Instant now) {
        return database.inTransaction(transaction -> projects.lock(transaction, project)
                .compose(locked -> members.add(transaction, project, dashboardUser, role, now))
                .compose(added -> added
                        ? find(transaction, project, dashboardUser)
                        : Future.failedFuture(
                                ApiException.conflict("This dashboard user is already a member of the project."))));
    }

    /** Returns the member with the new role; a 409 if the project would have no owner left. */
    public Future<Member> changeRole(ProjectId project, UserId member, Role role) {
        return database.inTransaction(transaction -> projects.lock(transaction, project)
                .compose(locked -> find(transaction, project, member))
                .compose(found -> (role == Role.OWNER
                                ? Future.<Void>succeededFuture()
                                : requireOtherOwner(transaction, project, found))
                        .compose(checked -> members.changeRole(transaction, project, member, role))
                        .map(changed -> found.withRole(role))));
    }

    public Future<Void> remove(ProjectId project, UserId member) {
        return database.inTransaction(transaction -> projects.lock(transaction, project)
                .compose(locked -> find(transaction, project, member))
                .compose(found -> requireOtherOwner(transaction, project, found))
                .compose(checked -> members.remove(transaction, project, member)));
    }

    private Future<Member> find(SqlClient transaction, ProjectId project, UserId member) {
        return members.find(transaction, project, member)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("The project has no such member.")));
    }

    private Future<Void> requireOtherOwner(SqlClient transaction, ProjectId project, Member member) {
        return member.role() == Role.VIEWER
                ? Future.<Void>succeededFuture()
                : members.hasOtherOwner(transaction, project, member.userId())
                        .compose(has -> has ? Future.<Void>succeededFuture() : Future.failedFuture(lastOwner()));
    }

    private static ApiException lastOwner() {
        return ApiException.conflict(
                "This member is the only owner of the project. Make another member an owner first.");
    }
}
