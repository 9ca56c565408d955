package dev.vestibule.journal.audit;

import dev.vestibule.config.AuditSettings;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.journal.audit.AuditRefusalStore.Unreported;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.statistics.Activity;
import dev.vestibule.project.statistics.Counted;
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
import java.util.Optional;
import java.util.TreeMap;

/**
 * Records who did what. The entry of a change is written in the transaction of the change, so neither exists without
 * the other. An entry for something that changes nothing, such as a refused sign in, is queued in memory and written a
 * moment later, so an attack costs one statement for many entries.
 */
public final class AuditLog {
    private static final int BATCH = 1000;
    private static final Duration REPORT_INTERVAL = Duration.ofHours(1);

    private final AuditStore store = new AuditStore();
    private final AuditRefusalStore refusals = new AuditRefusalStore();
    private final AuditMeters meters;
    private final AuditSettings settings;
    private final PendingEntries queue;
    private final Activity activity;
    private final Clock clock;

    public AuditLog(AuditSettings settings, AuditMeters meters, Activity activity, Clock clock) {
        this.settings = settings;
        this.meters = meters;
        this.queue = new PendingEntries(settings.noteQueue(), meters);
        this.activity = activity;
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

    /** An entry for statements that write it themselves; empty if the log is disabled. */
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

    void enqueue(ProjectId project, Actor actor, AuditEvent event, Target target, Map<String, ?> metadata) {
        entry(project, actor, event, target, metadata).ifPresent(queue::add);
    }

    /** Counts it for the statistics, whether or not the log is enabled. */
    public void countRefusedSignIn(ProjectId project) {
        activity.count(project, Counted.FAILED_SIGN_INS);
    }

    /** Writes the queued entries; if that fails, the next call tries again. */
    public Future<Void> flush(Database database) {
        return Batches.repeat(() -> flushOnce(database));
    }

    private Future<Boolean> flushOnce(Database database) {
        var batch = queue.take(BATCH);
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
        return database.inTransaction(transaction -> withinDailyLimit(transaction, rows)
                        .compose(accepted -> (accepted.isEmpty()
                                        ? Future.<Void>succeededFuture()
                                        : store.record(transaction, accepted))
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
                .filter(entry -> entry.event().isRefusedAttempt())
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
                .filter(entry -> !entry.event().isRefusedAttempt() || left.merge(entry.project(), -1L, Long::sum) >= 0)
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
                                ? Future.<Void>succeededFuture()
                                : store.record(
                                        transaction,
                                        unreported.stream().map(this::entry).toList())))
                .compose(reported -> refusals.purge(database.writes(), today(), perDay));
    }

    private AuditEntry entry(Unreported unreported) {
        return AuditEntry.of(
                unreported.project(),
                Actor.SYSTEM,
                AuditEvent.ENTRIES_DROPPED,
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
