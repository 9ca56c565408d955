package dev.vestibule.authentication.dashboard;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.session.Authentication;
import dev.vestibule.session.Device;
import dev.vestibule.session.ImpersonationStore;
import dev.vestibule.session.Session;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionPerson;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.token.TokenResponse;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Opens sessions in which an owner of a project acts as one of its users. Locks the rows that give the owner the right
 * until the session exists: anyone who takes the right away at the same moment comes first, or ends the session too.
 */
public final class Impersonations {
    /** The dashboard user who acts, the user as whom they act, the reason, and the dashboard session. */
    record Request(
            Project project,
            UserId user,
            UserId owner,
            SessionId ownSession,
            Device device,
            String reason,
            Trail trail) {}

    /** A session of the user in which the owner acts. */
    public record Opened(User user, Session session) {}

    private final Database database;
    private final MemberStore members = new MemberStore();
    private final UserStore users = new UserStore();
    private final ImpersonationStore sessions;
    private final TokenIssuer tokens;
    private final Clock clock;

    public Impersonations(Database database, ImpersonationStore sessions, TokenIssuer tokens, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.tokens = tokens;
        this.clock = clock;
    }

    Future<TokenResponse> begin(Request request) {
        return open(request).compose(opened -> issue(request, opened));
    }

    Future<Opened> open(Request request) {
        var now = clock.instant();
        return database.home()
                .inTransaction(home -> lockPermission(home, request, now)
                        .compose(held -> database.inProject(
                                home,
                                transaction -> lockUser(
                                                transaction, request.project().id(), request.user())
                                        .compose(user -> open(transaction, request, user, now)))));
    }

    private Future<Void> lockPermission(SqlConnection home, Request request, Instant now) {
        return members.lockIfOwner(home, request.project().id(), request.owner())
                .compose(isOwner -> isOwner
                        ? sessions.lockOwnSession(home, request.owner(), request.ownSession(), now)
                        : Future.failedFuture(
                                ApiException.of(ErrorCode.OWNER_REQUIRED, "Only an owner of the project can do this.")))
                .compose(isSignedIn -> isSignedIn
                        ? Future.succeededFuture()
                        : Future.failedFuture(
                                ApiException.of(ErrorCode.SESSION_ENDED, "You are no longer signed in.")));
    }

    /** A banned user cannot sign in, so nobody can act as one. */
    private Future<User> lockUser(SqlConnection transaction, ProjectId project, UserId user) {
        return users.lockExisting(transaction, project, user).map(Account::user).map(found -> {
            if (found.isBanned()) {
                throw ApiException.of(ErrorCode.USER_BANNED, "This user is banned, so nobody can act as them.");
            }
            return found;
        });
    }

    private Future<Opened> open(SqlConnection transaction, Request request, User user, Instant now) {
        return sessions.open(transaction, request.project(), user, request.owner(), request.device(), now)
                .compose(session -> request.trail()
                        .record(
                                transaction,
                                Logged.USER_IMPERSONATED,
                                Target.user(user.id().value()),
                                Map.of(
                                        "reason",
                                        request.reason(),
                                        "session",
                                        session.id().value()))
                        .map(new Opened(user, session)));
    }

    private Future<TokenResponse> issue(Request request, Opened opened) {
        var now = opened.session().createdAt();
        return tokens.issueFirst(
                database.reads(),
                request.project(),
                ApiVariant.A,
                opened.session().id(),
                new SessionPerson(Authentication.byImpersonator(request.owner(), now), opened.user()),
                Duration.between(now, opened.session().expiresAt()));
    }
}
