package dev.vestibule.audit;

import dev.vestibule.config.AuditSettings;
import dev.vestibule.database.Batches;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.statistics.Activity;
import dev.vestibule.project.statistics.Counted;
import dev.vestibule.telemetry.metrics.AuditMeters;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records who did what: a change in its own transaction, so that neither is there without the other; what changes nothing,
 * such as a refused sign in, from memory a moment later, so that an attack costs one statement for many.
 */
public final class AuditLog {
    private static final int BATCH = 1000;

    private final AuditStore store = new AuditStore();
    private final AuditSettings settings;
    private final NotedEntries noted;
    private final Activity activity;
    private final Clock clock;

    public AuditLog(AuditSettings settings, AuditMeters meters, Activity activity, Clock clock) {
        this.settings = settings;
        this.noted = new NotedEntries(settings.noteQueue(), meters);
        this.activity = activity;
        this.clock = clock;
    }

    /** Whether there is a log at all. */
    public boolean isKept() {
        return settings.enabled();
    }

    /** Whether refreshes are noted too. */
    public boolean hasRefreshes() {
        return settings.enabled() && settings.refreshes();
    }

    /** For statements that write the entry themselves; empty where there is no log. */
    public Optional<AuditEntry> entry(
            ProjectId project, Actor actor, AuditEvent event, Target target, Map<String, ?> metadata) {
        return settings.enabled()
                ? Optional.of(AuditEntry.of(project, actor, event, target, metadata, clock.instant()))
                : Optional.empty();
    }

    Future<Void> record(
            SqlConnection transaction,
            ProjectId project,
            Actor actor,
            AuditEvent event,
            Target target,
            Map<String, ?> metadata) {
        return entry(project, actor, event, target, metadata)
                .map(entry -> store.record(transaction, List.of(entry)))
                .orElseGet(Future::succeededFuture);
    }

    void note(ProjectId project, Actor actor, AuditEvent event, Target target, Map<String, ?> metadata) {
        entry(project, actor, event, target, metadata).ifPresent(noted::add);
    }

    /** For the statistics, whether or not there is a log. */
    public void countRefusedSignIn(ProjectId project) {
        activity.count(project, Counted.FAILED_SIGN_INS);
    }

    /** Writes what was noted; if that fails, it is tried again next time. */
    public Future<Void> flush(SqlClient db) {
        return Batches.repeat(() -> flushOnce(db));
    }

    private Future<Boolean> flushOnce(SqlClient db) {
        var batch = noted.take(BATCH);
        if (batch.isEmpty()) {
            return Future.succeededFuture(false);
        }
        var rows = new ArrayList<>(batch.entries());
        batch.dropped()
                .forEach((project, count) -> rows.add(AuditEntry.of(
                        project,
                        Actor.SYSTEM,
                        AuditEvent.ENTRIES_DROPPED,
                        Target.NONE,
                        Map.of("count", count),
                        clock.instant())));
        return store.record(db, rows)
                .onFailure(failure -> noted.giveBack(batch))
                .map(written -> batch.entries().size() == BATCH);
    }
}
