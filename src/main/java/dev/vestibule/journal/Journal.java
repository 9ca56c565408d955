package dev.vestibule.journal;

import dev.vestibule.database.Database;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.statistics.Activity;
import dev.vestibule.project.statistics.Counted;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Records facts in the transaction of the change, each with all that follows from it and with one statement. The events
 * of a committed change are delivered even after a crash, and those of a rolled-back change never are.
 */
public final class Journal {
    /**
     * The event bus address for wake-ups after a commit. Wake-ups are best effort: the table is the source of truth.
     */
    public static final String WAKE_UP = "vestibule.webhooks";

    private final JournalStore store = new JournalStore();
    private final Vertx vertx;
    private final AuditLog log;
    private final Activity activity;
    private final Clock clock;

    public Journal(Vertx vertx, AuditLog log, Activity activity, Clock clock) {
        this.vertx = vertx;
        this.log = log;
        this.activity = activity;
        this.clock = clock;
    }

    /** Whether the operator has enabled the audit log. */
    public boolean hasLog() {
        return log.isEnabled();
    }

    /** An entry for a statement that writes it itself; empty if the log is disabled. */
    public Optional<AuditEntry> entry(
            ProjectId project, Actor actor, Fact fact, Target target, Map<String, ?> details) {
        return log.isEnabled()
                ? Optional.of(AuditEntry.of(project, actor, fact, target, details, clock.instant()))
                : Optional.empty();
    }

    /** Stores events of any projects that no entry belongs to; delivery begins after the commit. */
    public Future<Void> publish(SqlConnection transaction, List<Event.Draft> events) {
        return write(transaction, Optional.empty(), events);
    }

    Future<Void> write(SqlConnection transaction, Optional<AuditEntry> entry, List<Event.Draft> events) {
        return entry.isEmpty() && events.isEmpty()
                ? Future.succeededFuture()
                : store.record(transaction, entry.stream().toList(), recorded(events))
                        .onSuccess(waiting -> {
                            if (waiting > 0) {
                                Database.afterCommit(transaction, this::wakeUp);
                            }
                        })
                        .mapEmpty();
    }

    private List<Event> recorded(List<Event.Draft> events) {
        var now = clock.instant();
        return events.stream().map(draft -> draft.at(now)).toList();
    }

    void countAfterCommit(SqlConnection transaction, ProjectId project, Counted counted) {
        activity.countAfterCommit(transaction, project, counted);
    }

    /** Queues an entry for something that changes nothing; it is written a moment later. */
    void enqueue(ProjectId project, Actor actor, Fact fact, Target target, Map<String, ?> details) {
        entry(project, actor, fact, target, details).ifPresent(log::enqueue);
    }

    /** Counts a sign in that opens no session, whether or not the log is enabled. */
    public void countRefusedSignIn(ProjectId project) {
        activity.count(project, Counted.FAILED_SIGN_INS);
    }

    /** Counts a user as active. */
    public void markActive(ProjectId project, UUID user) {
        activity.markActive(project, user);
    }

    /** For deliveries that become due without a new event, such as a retry. */
    public void wakeUp() {
        vertx.eventBus().publish(WAKE_UP, "");
    }
}
