package dev.vestibule.project.member;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiError;
import dev.vestibule.error.ApiException;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;

/** Changes who is a member of a project, one change at a time for each, so that it never is without an owner. */
public final class MemberChanges {
    private final Database database;
    private final ProjectStore projects;
    private final MemberStore members;

    public MemberChanges(Database database, ProjectStore projects, MemberStore members) {
        this.database = database;
        this.projects = projects;
        this.members = members;
    }

    /** The new member; a 409 where the dashboard user is one already. */
    public Future<Member> add(ProjectId project, UserId dashboardUser, Role role, Instant now) {
        return database.inTransaction(transaction -> projects.lock(transaction, project)
                .compose(locked -> members.add(transaction, project, dashboardUser, role, now))
                .compose(added -> added
                        ? find(transaction, project, dashboardUser)
                        : Future.failedFuture(ApiError.conflict("This dashboard user is a member already."))));
    }

    /** The member with its new role. */
    public Future<Member> changeRole(ProjectId project, UserId member, Role role) {
        return database.inTransaction(transaction -> projects.lock(transaction, project)
                .compose(locked -> find(transaction, project, member))
                .compose(found -> (role == Role.OWNER ? allowed() : refuseLastOwner(transaction, project, found))
                        .compose(may -> members.changeRole(transaction, project, member, role))
                        .map(changed -> found.with(role))));
    }

    public Future<Void> remove(ProjectId project, UserId member) {
        return database.inTransaction(transaction -> projects.lock(transaction, project)
                .compose(locked -> find(transaction, project, member))
                .compose(found -> refuseLastOwner(transaction, project, found))
                .compose(may -> members.remove(transaction, project, member)));
    }

    private Future<Member> find(SqlClient transaction, ProjectId project, UserId member) {
        return members.find(transaction, project, member)
                .map(found -> found.orElseThrow(() -> ApiError.notFound("The project has no such member.")));
    }

    private Future<Void> refuseLastOwner(SqlClient transaction, ProjectId project, Member member) {
        return member.role() == Role.VIEWER
                ? allowed()
                : members.hasOtherOwner(transaction, project, member.userId())
                        .compose(has -> has ? allowed() : Future.failedFuture(lastOwner()));
    }

    private static Future<Void> allowed() {
        return Future.succeededFuture();
    }

    private static ApiException lastOwner() {
        return ApiError.conflict("The project would be left without an owner. Make another member an owner first.");
    }
}
