package dev.vestibule.session;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Page;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/auth/me/sessions}: all of the user's active sessions, newest first and the one that asks last. So a
 * client that ends them in the order of the list ends its own when it has no more calls to make.
 */
public final class ListMySessionsHandler implements ApiHandler {
    /** More than any project allows, since sign ins at the same moment may go beyond that for an instant. */
    private static final Page ALL = new Page(1000, 0);

    /** Where the application's own people are is no business of its users. */
    private static final String IMPERSONATION = "Impersonation by the application's team";

    private record MySession(
            @JsonUnwrapped Session session, @Nullable String deviceName, boolean current) {
        static MySession of(Session session, SessionId current) {
            if (session.isImpersonated()) {
                return new MySession(
                        session.withoutDevice(), IMPERSONATION, session.id().equals(current));
            }
            var userAgent = session.userAgent();
            return new MySession(
                    session,
                    userAgent == null ? null : DeviceName.of(userAgent),
                    session.id().equals(current));
        }
    }

    private final Database database;
    private final SessionListStore sessions;
    private final Clock clock;

    public ListMySessionsHandler(Database database, SessionListStore sessions, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        return sessions.ofUser(
                        database.reads(), caller.project().id(), caller.user().id(), clock.instant(), ALL)
                .map(listed -> Reply.ok(currentLast(listed, caller.token().session())));
    }

    private static List<MySession> currentLast(List<Session> sessions, SessionId current) {
        return sessions.stream()
                .map(session -> MySession.of(session, current))
                .sorted(Comparator.comparing(MySession::current))
                .toList();
    }
}
