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

/**
 * Changes the members and invitations of a project, one change at a time, so that a project always has an owner. They
 * are at home, and what follows from the change in the project itself is in its database.
 */
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
        return database.home()
                .inTransaction(home -> lockAsOwner(home, invitation.project(), inviter)
                        .compose(locked -> members.hasEmail(home, invitation.project(), invitation.email()))
                        .compose(isMember -> isMember
                                ? Future.failedFuture(ApiException.of(
                                        ErrorCode.ALREADY_MEMBER,
                                        "This dashboard user is already a member of the project."))
                                : invitations.invite(home, invitation, inviter, mail))
                        .compose(member -> database.inProject(
                                        home,
                                        transaction -> trail.record(
                                                transaction,
                                                Logged.INVITATION_SENT,
                                                Target.member(member.id()),
                                                Map.of("role", member.role().text())))
                                .map(member)));
    }

    /** Returns the member with the new role; a 409 if the project would have no owner left. */
    Future<Member> changeRole(Trail trail, ProjectId project, UserId by, UUID member, Role role) {
        return database.home()
                .inTransaction(home -> lockAsOwner(home, project, by)
                        .compose(locked -> members.find(home, project, new UserId(member)))
                        .compose(found -> found.isPresent()
                                ? changeRole(home, project, found.get(), role)
                                : invited.changeRole(home, project, member, role, by, clock.instant())
                                        .map(changed -> changed.orElseThrow(MemberChanges::unknown)))
                        .compose(changed -> database.inProject(
                                        home,
                                        transaction -> endAccess(transaction, project, member, endsAccess(changed))
                                                .compose(ended -> trail.record(
                                                        transaction,
                                                        Logged.MEMBER_ROLE_CHANGED,
                                                        Target.member(member),
                                                        Map.of("role", role.text()))))
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

    private Future<Member> changeRole(SqlConnection home, ProjectId project, Member member, Role role) {
        var user = new UserId(member.id());
        return (role == Role.OWNER ? Future.<Void>succeededFuture() : requireOtherOwner(home, project, member))
                .compose(checked -> members.changeRole(home, project, user, role))
                .compose(changed ->
                        role == Role.OWNER ? Future.succeededFuture() : invited.removeOf(home, project, user))
                .map(withdrawn -> member.withRole(role));
    }

    /** Removes a member, or withdraws an invitation; every member can leave. */
    Future<Void> remove(Trail trail, ProjectId project, UserId by, UUID member) {
        return database.home()
                .inTransaction(home -> (by.value().equals(member)
                                ? projects.lock(home, project).<Void>mapEmpty()
                                : lockAsOwner(home, project, by))
                        .compose(locked -> members.find(home, project, new UserId(member)))
                        .compose(found -> found.isPresent()
                                ? remove(home, project, found.get()).map(Logged.MEMBER_REMOVED)
                                : invited.remove(home, project, member)
                                        .compose(removed -> removed
                                                ? Future.succeededFuture(Logged.INVITATION_WITHDRAWN)
                                                : Future.failedFuture(unknown())))
                        .compose(event -> database.inProject(
                                home,
                                transaction -> endAccess(transaction, project, member, event == Logged.MEMBER_REMOVED)
                                        .compose(ended -> trail.record(transaction, event, Target.member(member))))));
    }

    private Future<Void> remove(SqlConnection home, ProjectId project, Member member) {
        var user = new UserId(member.id());
        return requireOtherOwner(home, project, member)
                .compose(checked -> members.remove(home, project, user))
                .compose(removed -> invited.removeOf(home, project, user));
    }

    /** An invited person has opened no session. */
    private static boolean endsAccess(Member changed) {
        return changed.status() == Member.Status.ACTIVE && changed.role() != Role.OWNER;
    }

    private Future<Void> endAccess(SqlConnection transaction, ProjectId project, UUID member, boolean isLost) {
        return isLost
                ? impersonations.end(transaction, project, new UserId(member), clock.instant())
                : Future.succeededFuture();
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
