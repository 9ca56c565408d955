package dev.vestibule.audit;

import dev.vestibule.audit.AuditRefusalStore.Untold;
import dev.vestibule.config.AuditSettings;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
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
 * Records who did what: a change in its own transaction, so that neither is there without the other; what changes nothing,
 * such as a refused sign in, from memory a moment later, so that an attack costs one statement for many.
 */
public final class AuditLog {
    private static final int BATCH = 1000;
    private static final Duration TELLING = Duration.ofHours(1);

    private final AuditStore store = new AuditStore();
    private final AuditRefusalStore refusals = new AuditRefusalStore();
    private final AuditMeters meters;
    private final AuditSettings settings;
    private final NotedEntries noted;
    private final Activity activity;
    private final Clock clock;

    public AuditLog(AuditSettings settings, AuditMeters meters, Activity activity, Clock clock) {
        this.settings = settings;
        this.meters = meters;
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
    public Future<Void> flush(Database database) {
        return Batches.repeat(() -> flushOnce(database));
    }

    private Future<Boolean> flushOnce(Database database) {
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
        return database.inTransaction(transaction -> withinDay(transaction, rows)
                        .compose(within -> (within.isEmpty()
                                        ? Future.<Void>succeededFuture()
                                        : store.record(transaction, within))
                                .map(written -> rows.size() - within.size())))
                .onSuccess(meters::beyondDay)
                .onFailure(failure -> noted.giveBack(batch))
                .map(written -> batch.entries().size() == BATCH);
    }

    /**
     * Without the refused attempts beyond those of a day, which a row for all nodes counts: so one statement for a batch
     * decides it, and who floods a project fills neither its log nor the disk.
     */
    private Future<List<AuditEntry>> withinDay(SqlConnection transaction, List<AuditEntry> entries) {
        var attempts = new TreeMap<ProjectId, Long>(Comparator.comparing(ProjectId::value));
        entries.stream()
                .filter(entry -> entry.event().isRefusedAttempt())
                .forEach(entry -> attempts.merge(entry.project(), 1L, Long::sum));
        return attempts.isEmpty()
                ? Future.succeededFuture(entries)
                : refusals.count(transaction, attempts, today()).map(counted -> within(entries, attempts, counted));
    }

    private List<AuditEntry> within(
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

    /** Tells of attempts beyond those of a day, by an entry an hour for each project; deletes the counts of earlier days. */
    public Future<Void> tellOfUnwritten(Database database) {
        var now = clock.instant();
        var perDay = settings.refusedPerDay();
        return database.inTransaction(transaction -> refusals.tell(
                                transaction, perDay, now, now.minus(TELLING), today())
                        .compose(untold -> untold.isEmpty()
                                ? Future.<Void>succeededFuture()
                                : store.record(
                                        transaction,
                                        untold.stream().map(this::entry).toList())))
                .compose(told -> refusals.purge(database.writes(), today(), perDay));
    }

    private AuditEntry entry(Untold untold) {
        return AuditEntry.of(
                untold.project(),
                Actor.SYSTEM,
                AuditEvent.ENTRIES_DROPPED,
                Target.NONE,
                Map.of(
                        "count",
                        untold.count(),
                        "reason",
                        "refused_per_day",
                        "day",
                        untold.day().toString()),
                clock.instant());
    }
}
