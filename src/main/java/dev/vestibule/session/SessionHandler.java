package dev.vestibule.session;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.RequestedUser;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.SessionListStore.Item;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The sessions of the caller, of a user, and of a project. Ending a session takes effect at once. */
public final class SessionHandler {
    /** More than any user can have: at most 100 of their own, and one for each owner who acts as them. */
    private static final Page ALL = new Page(1000, 0);

    private final Database database;
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final SessionListStore lists = new SessionListStore();
    private final Clock clock;

    public SessionHandler(Database database, SessionStore sessions, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.clock = clock;
    }

    private record SessionPage<T>(List<T> sessions, long total) {}

    /** {@code GET /v1/dashboard/sessions}: a page of the project's active sessions, newest first. */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project().id();
        var page = request.query(Query::page);
        var now = clock.instant();
        var total = lists.countForProject(database.writes(), project, now);
        return lists.listForProject(database.writes(), project, now, page)
                .compose((List<Item> items) -> total.map(count -> Reply.ok(new SessionPage<>(items, count))));
    }

    /**
     * {@code GET /v1/dashboard/users/:userId/sessions} and {@code /v1/dashboard/auth/sessions}: a page of the active
     * sessions of a user or of the caller, newest first.
     */
    public Future<Reply> listForUser(ApiRequest request) {
        var user = RequestedUser.of(request);
        var page = request.query(Query::page);
        var now = clock.instant();
        var project = user.project().id();
        var total = lists.countForUser(database.reads(), project, user.id(), now);
        return lists.listForUser(database.reads(), project, user.id(), now, page)
                .compose(listed -> total.map(count ->
                        Reply.ok(new SessionPage<>(shown(request, listed), count.orElseThrow(UserErrors::notFound)))));
    }

    /** Callers also learn which of their sessions is the current one. */
    private static List<?> shown(ApiRequest request, List<Session> listed) {
        return request.userIfAny()
                .<List<?>>map(caller -> own(listed, caller).toList())
                .orElse(listed);
    }

    /** {@code GET /v1/backend/users/:userId/sessions}: all active sessions of a user as a bare list, newest first. */
    public Future<Reply> listAllForUser(ApiRequest request) {
        request.query(fields -> ALL); // rejects any query parameter
        return RequestedUser.of(request)
                .find(database)
                .compose(user -> listAll(user.project().id(), user.id()))
                .map(Reply::ok);
    }

    private Future<List<Session>> listAll(ProjectId project, UserId user) {
        return lists.listForUser(database.reads(), project, user, clock.instant(), ALL);
    }

    private record OwnSession(@JsonUnwrapped Session session, boolean current) {
        /** Users must not learn where the application's own staff are. */
        static OwnSession of(Session session, SessionId current) {
            return new OwnSession(
                    session.isImpersonated() ? session.withoutDevice() : session,
                    session.id().equals(current));
        }
    }

    private static Stream<OwnSession> own(List<Session> sessions, SignedIn caller) {
        return sessions.stream()
                .map(session -> OwnSession.of(session, caller.token().session()));
    }

    /**
     * {@code GET /v1/auth/me/sessions}: all of the user's active sessions, newest first and the caller's own last. So a
     * client that ends them in the order of the list ends its own session last.
     */
    public Future<Reply> listMine(ApiRequest request) {
        var caller = request.user();
        return listAll(caller.project().id(), caller.user().id())
                .map(listed -> Reply.ok(own(listed, caller)
                        .sorted(Comparator.comparing(OwnSession::current))
                        .toList()));
    }

    /** {@code DELETE /v1/dashboard/sessions/:sessionId}: signs the user out on one device. */
    public Future<Reply> revoke(ApiRequest request) {
        var project = request.project().id();
        var session = session(request);
        return end(
                request.trail(),
                Logged.USER_SESSION_REVOKED,
                session,
                transaction -> sessions.end(transaction, project, session, EndReason.REVOKED, clock.instant()));
    }

    /**
     * {@code DELETE …/sessions/:sessionId} of the caller, at {@code /v1/auth/me} and {@code /v1/dashboard/auth}, or of
     * a user, at {@code /v1/backend/users/:userId}: signs them out on one device.
     */
    public Future<Reply> endOfUser(ApiRequest request) {
        var user = RequestedUser.of(request);
        var session = session(request);
        return end(
                request.trail(),
                user.isCaller() ? Logged.SESSION_REVOKED : Logged.USER_SESSION_REVOKED,
                session,
                transaction -> sessions.endOwn(
                        transaction,
                        user.project().id(),
                        user.id(),
                        session,
                        user.isCaller() ? EndReason.SIGNED_OUT : EndReason.REVOKED,
                        clock.instant()));
    }

    private Future<Reply> end(
            Trail trail,
            Fact.Logged event,
            SessionId session,
            Function<SqlConnection, Future<Optional<Session>>> ending) {
        return database.inTransaction(transaction -> ending.apply(transaction)
                        .map(found -> found.orElseThrow(SessionErrors::notFound))
                        .compose(ended -> trail.record(transaction, event, Target.session(session.value()))))
                .map(ended -> Reply.success());
    }

    /** {@code POST /v1/auth/signout}: ends the session, so that neither of its tokens is valid any more. */
    public Future<Reply> signOut(ApiRequest request) {
        var caller = request.user();
        var trail = request.trail();
        var session = caller.token().session();
        return database.inTransaction(transaction -> sessions.end(
                                transaction, caller.project().id(), session, EndReason.SIGNED_OUT, clock.instant())
                        .compose(ended -> ended.isEmpty()
                                ? Future.succeededFuture()
                                : trail.record(transaction, Logged.SIGN_OUT, Target.session(session.value()))))
                .map(ended -> Reply.success());
    }

    /** {@code DELETE /v1/dashboard/users/:userId/sessions}: signs the user out everywhere. */
    public Future<Reply> revokeAllForUser(ApiRequest request) {
        var project = request.project().id();
        var user = user(request);
        return endAll(
                request.trail(),
                Logged.USER_SESSIONS_REVOKED,
                project,
                user,
                UserErrors::notFound,
                transaction -> sessions.endAll(transaction, project, user, EndReason.REVOKED, clock.instant()));
    }

    /** {@code DELETE /v1/dashboard/auth/sessions}: signs the caller out everywhere, or everywhere else. */
    public Future<Reply> endAllOwn(ApiRequest request) {
        var caller = request.user();
        var keepCurrent = request.query(fields -> fields.optional("keepCurrent", Query.flag()));
        return endAll(
                request.trail(),
                Logged.SESSIONS_REVOKED,
                caller.project().id(),
                caller.user().id(),
                UserErrors::deleted,
                transaction -> endAllOwn(transaction, caller, Boolean.TRUE.equals(keepCurrent)));
    }

    private Future<List<Session>> endAllOwn(SqlConnection transaction, SignedIn caller, boolean keepCurrent) {
        var project = caller.project().id();
        var user = caller.user().id();
        var now = clock.instant();
        return keepCurrent
                ? sessions.endOthers(transaction, project, user, caller.token().session(), EndReason.SIGNED_OUT, now)
                : sessions.endAll(transaction, project, user, EndReason.SIGNED_OUT, now);
    }

    private Future<Reply> endAll(
            Trail trail,
            Fact.Logged event,
            ProjectId project,
            UserId user,
            Supplier<ApiException> gone,
            Function<SqlConnection, Future<List<Session>>> ending) {
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(gone))
                        .compose(held -> ending.apply(transaction))
                        .compose(ended -> trail.record(
                                        transaction, event, Target.user(user.value()), Map.of("sessions", ended.size()))
                                .map(ended)))
                .map(ended -> Reply.ok(Map.of("revoked", ended.size())));
    }

    private static UserId user(ApiRequest request) {
        return new UserId(request.pathId("userId"));
    }

    private static SessionId session(ApiRequest request) {
        return new SessionId(request.pathId("sessionId"));
    }
}
