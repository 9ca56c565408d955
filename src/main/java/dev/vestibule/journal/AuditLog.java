package dev.vestibule.journal;

import dev.vestibule.config.AuditSettings;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.database.PerShard;
import dev.vestibule.journal.AuditRefusalStore.Unreported;
import dev.vestibule.project.ProjectId;
import dev.vestibule.telemetry.metrics.AuditMeters;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The entries of the audit log for what changes nothing, such as a refused sign in: they wait in memory and are written
 * a moment later, so an attack costs one statement for many entries.
 */
public final class AuditLog {
    private static final int BATCH = 1000;
    private static final Duration REPORT_INTERVAL = Duration.ofHours(1);

    private final JournalStore store = new JournalStore();
    private final AuditRefusalStore refusals = new AuditRefusalStore();
    private final AuditMeters meters;
    private final AuditSettings settings;
    private final PerShard<PendingEntries> queues;
    private final Clock clock;

    public AuditLog(AuditSettings settings, AuditMeters meters, Clock clock) {
        this.settings = settings;
        this.meters = meters;
        this.queues = new PerShard<>(() -> new PendingEntries(settings.noteQueue(), meters));
        this.clock = clock;
    }

    /** Whether the operator has enabled the log. */
    public boolean isEnabled() {
        return settings.enabled();
    }

    /** Whether the log records refreshes too. */
    public boolean recordsRefreshes() {
        return settings.enabled() && settings.refreshes();
    }

    void enqueue(AuditEntry entry) {
        queues.here().add(entry);
    }

    /** Writes the queued entries of this database; if that fails, the next call tries again. */
    public Future<Void> flush(Database database) {
        var queue = queues.of(database.shard());
        return Batches.repeat(() -> flushOnce(queue, database));
    }

    private Future<Boolean> flushOnce(PendingEntries queue, Database database) {
        var batch = queue.take(BATCH);
        if (batch.isEmpty()) {
            return Future.succeededFuture(false);
        }
        var rows = new ArrayList<>(batch.entries());
        batch.dropped()
                .forEach((project, count) -> rows.add(AuditEntry.of(
                        project,
                        Actor.SYSTEM,
                        Fact.Logged.ENTRIES_DROPPED,
                        Target.NONE,
                        Map.of("count", count),
                        clock.instant())));
        return database.inTransaction(transaction -> withinDailyLimit(transaction, rows)
                        .compose(accepted -> (accepted.isEmpty()
                                        ? Future.succeededFuture(0)
                                        : store.record(transaction, accepted, List.of()))
                                .map(written -> rows.size() - accepted.size())))
                .onSuccess(meters::beyondDay)
                .onFailure(failure -> queue.putBack(batch))
                .map(written -> batch.entries().size() == BATCH);
    }

    /**
     * Drops the refused attempts beyond the daily limit. One row per project counts them for all nodes, with one
     * statement for a batch, so a flood of requests fills neither the log nor the disk.
     */
    private Future<List<AuditEntry>> withinDailyLimit(SqlConnection transaction, List<AuditEntry> entries) {
        var attempts = new TreeMap<ProjectId, Long>(Comparator.comparing(ProjectId::value));
        entries.stream()
                .filter(entry -> entry.fact().isRefusedAttempt())
                .forEach(entry -> attempts.merge(entry.project(), 1L, Long::sum));
        return attempts.isEmpty()
                ? Future.succeededFuture(entries)
                : refusals.count(transaction, attempts, today())
                        .map(counted -> dropBeyondLimit(entries, attempts, counted));
    }

    private List<AuditEntry> dropBeyondLimit(
            List<AuditEntry> entries, Map<ProjectId, Long> attempts, Map<ProjectId, Long> counted) {
        var left = new HashMap<ProjectId, Long>();
        counted.forEach((project, all) ->
                left.put(project, settings.refusedPerDay() - (all - Objects.requireNonNull(attempts.get(project)))));
        return entries.stream()
                .filter(entry -> !entry.fact().isRefusedAttempt() || left.merge(entry.project(), -1L, Long::sum) >= 0)
                .toList();
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    /**
     * Reports the attempts beyond the daily limit, with one entry an hour for each project; deletes the counts of
     * earlier days.
     */
    public Future<Void> reportUnwritten(Database database) {
        var now = clock.instant();
        var perDay = settings.refusedPerDay();
        return database.inTransaction(transaction -> refusals.markReported(
                                transaction, perDay, now, now.minus(REPORT_INTERVAL), today())
                        .compose(unreported -> unreported.isEmpty()
                                ? Future.succeededFuture(0)
                                : store.record(
                                        transaction,
                                        unreported.stream().map(this::entry).toList(),
                                        List.of())))
                .compose(reported -> refusals.purge(database.writes(), today(), perDay));
    }

    private AuditEntry entry(Unreported unreported) {
        return AuditEntry.of(
                unreported.project(),
                Actor.SYSTEM,
                Fact.Logged.ENTRIES_DROPPED,
                Target.NONE,
                Map.of(
                        "count",
                        unreported.count(),
                        "reason",
                        "refused_per_day",
                        "day",
                        unreported.day().toString()),
                clock.instant());
    }
}
