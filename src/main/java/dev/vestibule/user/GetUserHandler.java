package dev.vestibule.user;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.Caller;
import dev.vestibule.authentication.SignInLockout;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Page;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Session;
import dev.vestibule.session.SessionListStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/dashboard/users/:userId}: the user, the linked identity providers and the active sessions. */
public final class GetUserHandler implements ApiHandler {
    private static final Page ALL =
            new Page(1000, 0); // at most 100 of their own, and one for each owner who acts as them

    private record Response(
            @JsonUnwrapped ManagedUser user,
            List<String> providers,
            List<Session> sessions,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Instant lockedUntil) {}

    private final Database database;
    private final UserStore users;
    private final SessionListStore sessions;
    private final SignInLockout lockout;
    private final Clock clock;

    public GetUserHandler(
            Database database, UserStore users, SessionListStore sessions, SignInLockout lockout, Clock clock) {
        this.database = database;
        this.users = users;
        this.sessions = sessions;
        this.lockout = lockout;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return reply(Caller.project(ctx).id(), new UserId(PathId.of(ctx, "userId")), Caller.seesPrivate(ctx));
    }

    Future<Reply> reply(ProjectId project, UserId user, boolean withPrivate) {
        var active = sessions.ofUser(database.reads(), project, user, clock.instant(), ALL);
        return users.find(database.reads(), project, user)
                .map(found -> found.orElseThrow(UserErrors::notFound))
                .compose(linked -> lockedUntil(linked.user())
                        .compose(locked -> active.map(listed -> Reply.ok(new Response(
                                withPrivate
                                        ? linked.managed()
                                        : linked.managed().withoutPrivateMetadata(),
                                linked.providers(),
                                listed,
                                locked.orElse(null))))));
    }

    private Future<Optional<Instant>> lockedUntil(User user) {
        var email = user.email();
        return email == null
                ? Future.succeededFuture(Optional.empty())
                : lockout.lockedUntil(database.reads(), user.projectId(), email);
    }
}
