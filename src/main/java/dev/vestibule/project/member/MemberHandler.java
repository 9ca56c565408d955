package dev.vestibule.project.member;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.session.ImpersonationStore;
import dev.vestibule.user.User;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;

/** A project's members and invitations, {@code /v1/dashboard/projects/:projectId/members}: one method per operation. */
public final class MemberHandler {
    private final Database database;
    private final MemberStore members = new MemberStore();
    private final MemberChanges changes;
    private final RecentSignIn recent;
    private final MailOutbox outbox;
    private final Clock clock;

    public MemberHandler(
            Database database,
            Invitations invitations,
            ImpersonationStore impersonations,
            MailOutbox outbox,
            Clock clock) {
        this.database = database;
        this.changes = new MemberChanges(database, invitations, impersonations, clock);
        this.recent = new RecentSignIn(clock);
        this.outbox = outbox;
        this.clock = clock;
    }

    private record MemberPage(List<Member> members, long total) {}

    /**
     * {@code GET /v1/dashboard/projects/:projectId/members}: a page of the project's members and invitations, newest
     * first.
     */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project().id();
        var page = request.query(Query::page);
        var home = database.home();
        var total = members.count(home.writes(), project);
        return members.list(home.writes(), project, page, clock.instant())
                .compose(found -> total.map(count -> Reply.ok(new MemberPage(found, count))));
    }

    /** {@code POST /v1/dashboard/projects/:projectId/members}: invites a person to become a member of the project. */
    public Future<Reply> add(ApiRequest request) {
        var project = request.project();
        var inviter = request.user().user();
        requireVerified(inviter);
        var language = request.language();
        var invitation = request.allFields(fields -> new Invitation(
                project.id(),
                UuidCreator.getTimeOrderedEpoch(),
                fields.required("email", UserFields::email),
                fields.required("role", Role::of)));
        return changes.invite(
                        request.trail(),
                        invitation,
                        inviter.id(),
                        (transaction, email) -> outbox.requestInvitation(transaction, project.id(), email, language))
                .onSuccess(invited -> outbox.wakeUp())
                .map(Reply::created);
    }

    /** Otherwise an account with a made-up address could make this server mail anybody. */
    private static void requireVerified(User inviter) {
        if (!inviter.emailVerified()) {
            throw ApiException.of(
                    ErrorCode.UNVERIFIED_EMAIL,
                    "Verify your own email before you invite others: request a code in your account.");
        }
    }

    /**
     * {@code PATCH /v1/dashboard/projects/:projectId/members/:memberId}: changes the role of a member or of an
     * invitation.
     */
    public Future<Reply> update(ApiRequest request) {
        var member = request.pathId("memberId");
        var role = request.allFields(fields -> fields.required("role", Role::of));
        return changes.changeRole(
                        request.trail(),
                        request.project().id(),
                        request.user().user().id(),
                        member,
                        role)
                .map(Reply::ok);
    }

    /**
     * {@code DELETE /v1/dashboard/projects/:projectId/members/:memberId}: owners remove members and withdraw
     * invitations; every member can leave.
     */
    public Future<Reply> remove(ApiRequest request) {
        var member = request.pathId("memberId");
        var caller = request.user().user().id();
        if (!caller.value().equals(member)) {
            if (request.role() != Role.OWNER) {
                throw ApiException.of(
                        ErrorCode.OWNER_REQUIRED, "Only an owner of the project can remove other members.");
            }
            recent.requireForDashboardUser(request);
        }
        return changes.remove(request.trail(), request.project().id(), caller, member)
                .map(removed -> Reply.success());
    }
}
