package dev.vestibule.authentication.dashboard;

import dev.vestibule.authentication.EmailProof;
import dev.vestibule.authentication.PasswordSignUp.Admission;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.OtherProjects;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.member.Invitation;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.project.member.Member;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Map;

/**
 * Makes a dashboard user with the invited email a member. The token was mailed to that address, so it also proves the
 * email of the account.
 */
public final class InvitationAcceptance {
    /** A member and the project that they have joined. */
    record InvitationResult(ProjectId projectId, Member member) {}

    private final Database database;
    private final Invitations invitations;
    private final OtherProjects projects;
    private final UserStore users = new UserStore();
    private final EmailProof proof;
    private final Clock clock;

    public InvitationAcceptance(Database database, Invitations invitations, EmailProof proof, Clock clock) {
        this.database = database;
        this.invitations = invitations;
        this.projects = new OtherProjects(database);
        this.proof = proof;
        this.clock = clock;
    }

    /** Accepts an invitation for a dashboard user who is signed in. */
    Future<InvitationResult> accept(Trail trail, UserId dashboardUser, SessionId session, String token) {
        return database.home()
                .inTransaction(transaction -> invitations
                        .lock(transaction, token)
                        .compose(invitation -> users.lock(transaction, ProjectId.SYSTEM, dashboardUser)
                                .map(account -> requireInvited(
                                        invitation, account.map(Account::user).orElseThrow(UserErrors::deleted)))
                                .compose(user -> user.emailVerified()
                                        ? Future.succeededFuture(user)
                                        : proof.acceptInSession(trail, transaction, user, session, clock.instant()))
                                .compose(proven -> accept(trail, transaction, invitation, dashboardUser))
                                .map(member -> new InvitationResult(invitation.project(), member))));
    }

    /**
     * Accepts an invitation for a person who registers: checks it at once, and accepts it when the account is created.
     * A new account has no earlier sessions that this proof would have to end.
     */
    Future<Admission> checkRegistration(Trail trail, String email, String token) {
        return invitations.find(database.home().reads(), token).map(invitation -> {
            requireInvited(invitation, email);
            return new Admission() {
                @Override
                public Future<User> complete(SqlConnection transaction, User created) {
                    return invitations
                            .lock(transaction, token)
                            .compose(
                                    locked -> accept(trail.as(created.id().value()), transaction, locked, created.id()))
                            .compose(accepted -> users.update(
                                    transaction,
                                    ProjectId.SYSTEM,
                                    created.id(),
                                    UserChange.none().withEmailVerified(),
                                    clock.instant()))
                            .map(verified -> verified.orElseThrow(UserErrors::deleted));
                }
            };
        });
    }

    private Future<Member> accept(Trail trail, SqlConnection transaction, Invitation invitation, UserId dashboardUser) {
        return invitations
                .accept(transaction, invitation, dashboardUser)
                .compose(member -> projects.in(
                                invitation.project(),
                                transaction,
                                there -> trail.in(invitation.project())
                                        .record(
                                                there,
                                                Logged.INVITATION_ACCEPTED,
                                                Target.member(invitation.id()),
                                                Map.of("role", invitation.role().text())))
                        .map(member));
    }

    private static User requireInvited(Invitation invitation, User user) {
        requireInvited(invitation, String.valueOf(user.email()));
        return user;
    }

    /** Otherwise a forwarded token would open the project to an account that nobody invited. */
    private static void requireInvited(Invitation invitation, String email) {
        if (!invitation.email().equals(email)) {
            throw ApiException.of(
                    ErrorCode.WRONG_INVITEE,
                    "This invitation is for another email. Sign in or register with the one that it was mailed to.");
        }
    }
}
