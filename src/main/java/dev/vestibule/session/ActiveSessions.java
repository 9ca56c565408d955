package dev.vestibule.session;

import dev.vestibule.database.Database;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.ActiveSessionStore.Check;
import dev.vestibule.session.ActiveSessionStore.Refresh;
import dev.vestibule.session.ActiveSessionStore.Refreshed;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * The active sessions that the requests of one event loop ask for. Every signed-in request and every refresh asks the
 * database; those that arrive while it is being asked go together by the next statement.
 */
public final class ActiveSessions {
    private final Database database;
    private final ActiveSessionStore store;
    private final Clock clock;
    private final SharedStatement<Check, Optional<User>> checks;
    private final SharedStatement<Refresh, Future<Optional<Refreshed>>> refreshes;

    /** For the calling event loop. */
    public ActiveSessions(Database database, ActiveSessionStore store, Clock clock) {
        this.database = database;
        this.store = store;
        this.clock = clock;
        this.checks = database.shared(asked -> store.findUsers(database.reads(), asked, clock.instant()));
        this.refreshes = database.shared(this::refreshTogether);
    }

    /** The user of an active session; empty where the session has ended or its user is banned. */
    public Future<Optional<User>> findUser(ProjectId project, SessionId session, UserId user, BooleanSupplier isGone) {
        return checks.ask(new Check(project, session, user), isGone);
    }

    /**
     * Uses a refresh token of the given generation. If it is the current one, Variant A gives the session the next
     * generation and a new expiry, at most when the session is as old as the project allows. Empty where the session has
     * ended or is of the other variant, or its user is banned.
     */
    public Future<Optional<Refreshed>> refresh(
            Project project, SessionId session, int generation, ApiVariant variant, BooleanSupplier isGone) {
        var question = new Refresh(
                project.id(), session, generation, variant, project.refreshTokenTtl(), project.maxSessionLifetime());
        return refreshes.ask(question, isGone).compose(answer -> answer);
    }

    /** A session that is just being changed is asked for alone, so that the others need not wait for it. */
    private Future<List<Future<Optional<Refreshed>>>> refreshTogether(List<Refresh> asked) {
        return store.refreshFree(database.writes(), asked, clock.instant())
                .map(found -> IntStream.range(0, asked.size())
                        .mapToObj(i -> found.get(i).isPresent()
                                ? Future.succeededFuture(found.get(i))
                                : store.refresh(database.writes(), asked.get(i), clock.instant()))
                        .toList());
    }
}
