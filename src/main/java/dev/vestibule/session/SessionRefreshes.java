package dev.vestibule.session;

import dev.vestibule.database.Database;
import dev.vestibule.database.SharedUpdate;
import dev.vestibule.journal.Journal;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.session.ActiveSessionStore.Refresh;
import dev.vestibule.session.ActiveSessionStore.RefreshedSession;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Refreshes sessions, with one statement for concurrent requests of an event loop. */
public final class SessionRefreshes {
    private final ActiveSessionStore store = new ActiveSessionStore();
    private final Journal journal;
    private final SharedUpdate<Refresh, RefreshedSession> refreshes;

    public SessionRefreshes(Database database, Journal journal, Clock clock, Duration grace) {
        this.journal = journal;
        this.refreshes = new SharedUpdate<>(
                database,
                grace,
                asked -> store.refreshFree(database.writes(), asked, clock.instant()),
                missing -> store.findActive(database.reads(), missing, clock.instant()),
                refresh -> store.refresh(database.writes(), refresh, clock.instant()));
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
                .onSuccess(found -> found.ifPresent(refreshed ->
                        journal.markActive(project.id(), refreshed.user().id().value())));
    }
}
