package dev.vestibule.project.member;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.project.member.Invitations.InvitationMail;
import dev.vestibule.session.ImpersonationStore;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;
import java.util.UUID;

/** Changes the members and invitations of a project, one change at a time, so that a project always has an owner. */
public final class MemberChanges {
    private final Database database;
    private final ProjectStore projects = new ProjectStore();
    private final MemberStore members = new MemberStore();
    private final InvitationStore invited = new InvitationStore();
    private final Invitations invitations;
    private final ImpersonationStore impersonations;
    private final Clock clock;

    public MemberChanges(Database database, Invitations invitations, ImpersonationStore impersonations, Clock clock) {
        this.database = database;
        this.invitations = invitations;
        this.impersonations = impersonations;
        this.clock = clock;
    }

    /** Returns the invited member; a 409 if a member already has the address. */
    Future<Member> invite(Trail trail, Invitation invitation, UserId inviter, InvitationMail mail) {
        return database.inTransaction(transaction -> lockAsOwner(transaction, invitation.project(), inviter)
                .compose(locked -> members.hasEmail(transaction, invitation.project(), invitation.email()))
                .compose(isMember -> isMember
                        ? Future.failedFuture(ApiException.of(
                                ErrorCode.ALREADY_MEMBER, "This dashboard user is already a member of the project."))
                        : invitations.invite(transaction, invitation, inviter, mail))
                .compose(member -> trail.record(
                                transaction,
                                Logged.INVITATION_SENT,
                                Target.member(member.id()),
                                Map.of("role", member.role().text()))
                        .map(member)));
    }

    /** Returns the member with the new role; a 409 if the project would have no owner left. */
    Future<Member> changeRole(Trail trail, ProjectId project, UserId by, UUID member, Role role) {
        return database.inTransaction(transaction -> lockAsOwner(transaction, project, by)
                .compose(locked -> members.find(transaction, project, new UserId(member)))
                .compose(found -> found.isPresent()
                        ? changeRole(transaction, project, found.get(), role)
                        : invited.changeRole(transaction, project, member, role, by, clock.instant())
                                .map(changed -> changed.orElseThrow(MemberChanges::unknown)))
                .compose(changed -> trail.record(
                                transaction,
                                Logged.MEMBER_ROLE_CHANGED,
                                Target.member(member),
                                Map.of("role", role.text()))
                        .map(changed)));
    }

    /** Another owner may have removed or demoted this one while the request waited for the lock. */
    private Future<Void> lockAsOwner(SqlConnection transaction, ProjectId project, UserId by) {
        return projects.lock(transaction, project)
                .compose(locked -> members.lockIfOwner(transaction, project, by))
                .compose(isOwner -> isOwner ? Future.succeededFuture() : Future.failedFuture(ownerRequired()));
    }

    private static ApiException ownerRequired() {
        return ApiException.of(ErrorCode.OWNER_REQUIRED, "Only an owner of the project can do this.");
    }

    private Future<Member> changeRole(SqlConnection transaction, ProjectId project, Member member, Role role) {
        var user = new UserId(member.id());
        return (role == Role.OWNER ? Future.<Void>succeededFuture() : requireOtherOwner(transaction, project, member))
                .compose(checked -> members.changeRole(transaction, project, user, role))
                .compose(changed ->
                        role == Role.OWNER ? Future.succeededFuture() : endAccess(transaction, project, user))
                .map(ended -> member.withRole(role));
    }

    /** Removes a member, or withdraws an invitation; every member can leave. */
    Future<Void> remove(Trail trail, ProjectId project, UserId by, UUID member) {
        return database.inTransaction(transaction -> (by.value().equals(member)
                        ? projects.lock(transaction, project).<Void>mapEmpty()
                        : lockAsOwner(transaction, project, by))
                .compose(locked -> members.find(transaction, project, new UserId(member)))
                .compose(found -> found.isPresent()
                        ? remove(transaction, project, found.get()).map(Logged.MEMBER_REMOVED)
                        : invited.remove(transaction, project, member)
                                .compose(removed -> removed
                                        ? Future.succeededFuture(Logged.INVITATION_WITHDRAWN)
                                        : Future.failedFuture(unknown())))
                .compose(event -> trail.record(transaction, event, Target.member(member))));
    }

    private Future<Void> remove(SqlConnection transaction, ProjectId project, Member member) {
        var user = new UserId(member.id());
        return requireOtherOwner(transaction, project, member)
                .compose(checked -> members.remove(transaction, project, user))
                .compose(removed -> endAccess(transaction, project, user));
    }

    private Future<Void> endAccess(SqlConnection transaction, ProjectId project, UserId user) {
        return invited.removeOf(transaction, project, user)
                .compose(withdrawn -> impersonations.end(transaction, project, user, clock.instant()));
    }

    /** Only active members count: an invited owner may never accept. */
    private Future<Void> requireOtherOwner(SqlClient transaction, ProjectId project, Member member) {
        return member.role() != Role.OWNER
                ? Future.<Void>succeededFuture()
                : members.hasOtherOwner(transaction, project, new UserId(member.id()))
                        .compose(has -> has ? Future.<Void>succeededFuture() : Future.failedFuture(lastOwner()));
    }

    private static ApiException unknown() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The project has no such member.");
    }

    private static ApiException lastOwner() {
        return ApiException.of(
                ErrorCode.LAST_OWNER,
                "This member is the only owner of the project. Make another member an owner first.");
    }
}
