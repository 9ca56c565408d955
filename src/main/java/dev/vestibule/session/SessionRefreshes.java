package dev.vestibule.session;

import dev.vestibule.database.Database;
import dev.vestibule.database.SharedStatement;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.statistics.Activity;
import dev.vestibule.session.ActiveSessionStore.Refresh;
import dev.vestibule.session.ActiveSessionStore.RefreshedSession;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** Refreshes sessions, with one statement for concurrent requests of an event loop. */
public final class SessionRefreshes {
    private final Database database;
    private final ActiveSessionStore store = new ActiveSessionStore();
    private final Activity activity;
    private final Clock clock;
    private final SharedStatement<Refresh, Future<Optional<RefreshedSession>>> refreshes;

    /**
     * A refresh that takes longer than half the grace time is answered with a 503: the client still has time to try
     * again with the same token, should the first try have replaced it.
     */
    public SessionRefreshes(Database database, Activity activity, Clock clock, Duration grace) {
        this.database = database;
        this.activity = activity;
        this.clock = clock;
        this.refreshes = grace.isZero()
                ? database.shared(this::refreshTogether)
                : database.shared(grace.dividedBy(2), this::refreshTogether);
    }

    /**
     * Uses a refresh token of the given generation. If it is the current one, Variant A gives the session the next
     * generation and a new expiry, at most when the session is as old as the project allows. Empty if the session has
     * ended or is of the other variant, or its user is banned.
     */
    public Future<Optional<RefreshedSession>> refresh(
            Project project, SessionId session, int generation, ApiVariant variant, BooleanSupplier isGone) {
        var question = new Refresh(
                project.id(), session, generation, variant, project.refreshTokenTtl(), project.maxSessionLifetime());
        return refreshes
                .ask(question, isGone)
                .compose(answer -> answer)
                .onSuccess(found -> found.ifPresent(refreshed ->
                        activity.markActive(project.id(), refreshed.user().id().value())));
    }

    /** A session that is just being changed is asked for alone, so that the others need not wait for it. */
    private Future<List<Future<Optional<RefreshedSession>>>> refreshTogether(List<Refresh> asked) {
        return store.refreshFree(database.writes(), asked, clock.instant()).compose(found -> {
            var missing = IntStream.range(0, asked.size())
                    .filter(i -> found.get(i).isEmpty())
                    .mapToObj(asked::get)
                    .toList();
            return findActive(missing)
                    .map(active -> IntStream.range(0, asked.size())
                            .mapToObj(i -> active.contains(asked.get(i))
                                    ? store.refresh(database.writes(), asked.get(i), clock.instant())
                                    : Future.succeededFuture(found.get(i)))
                            .toList());
        });
    }

    /** By one statement for all, so that those which have ended, as after a mass revocation, cost none of their own. */
    private Future<Set<Refresh>> findActive(List<Refresh> missing) {
        return missing.isEmpty()
                ? Future.succeededFuture(Set.of())
                : store.findActive(database.reads(), missing, clock.instant());
    }
}
