package dev.vestibule.journal;

import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records what one actor does in one project. The details say what the ids do not: the entry has them all, and the
 * event those that events of its kind have.
 */
public final class Trail {
    private final Journal journal;
    private final ProjectId project;
    private final Actor actor;

    public Trail(Journal journal, ProjectId project, Actor actor) {
        this.journal = journal;
        this.project = project;
        this.actor = actor;
    }

    public Actor actor() {
        return actor;
    }

    /** This actor in the log of another project. */
    public Trail in(ProjectId other) {
        return new Trail(journal, other, actor);
    }

    /** The trail of this actor after it has proved who it is. */
    public Trail as(UUID provedId) {
        return new Trail(journal, project, actor.as(provedId));
    }

    /** The trail of the dashboard user who impersonates this user; this trail if nobody does. */
    public Trail impersonatedBy(@Nullable UUID impersonator) {
        return new Trail(journal, project, actor.impersonatedBy(impersonator));
    }

    /** Records a fact in the transaction of the change. */
    public Future<Void> record(SqlConnection transaction, Fact.Logged fact, Target target) {
        return record(transaction, fact, target, Map.of());
    }

    public Future<Void> record(SqlConnection transaction, Fact.Logged fact, Target target, Map<String, ?> details) {
        return journal.write(transaction, entry(fact, target, details), List.of());
    }

    /**
     * Records a fact in the transaction of the change; the subject is as it is afterwards, or as it was if it is gone.
     */
    public Future<Void> record(SqlConnection transaction, Fact.Published fact, Subject subject) {
        return record(transaction, fact, subject, Map.of());
    }

    public Future<Void> record(
            SqlConnection transaction, Fact.Published fact, Subject subject, Map<String, ?> details) {
        return record(transaction, fact, subject, details, List.of(), List.of());
    }

    /** In the same statement, also stores events of what belongs to the fact and happened before or after it. */
    public Future<Void> record(
            SqlConnection transaction,
            Fact.Published fact,
            Subject subject,
            Map<String, ?> details,
            List<Event.Draft> before,
            List<Event.Draft> after) {
        var counted = fact.counted();
        if (counted != null) {
            journal.countAfterCommit(transaction, project, counted);
        }
        var event = new Event.Draft(fact.event(), subject, details);
        return journal.write(
                transaction,
                entry(fact, subject.target(), details),
                Stream.of(before, List.of(event), after).flatMap(List::stream).toList());
    }

    /** Records a change of several things of the subject: one entry, and an event for each, with its own details. */
    public Future<Void> record(
            SqlConnection transaction,
            Fact.Published fact,
            Subject subject,
            Map<String, ?> details,
            List<? extends Map<String, ?>> each) {
        return journal.write(
                transaction,
                entry(fact, subject.target(), details),
                each.stream()
                        .map(one -> new Event.Draft(fact.event(), subject, one))
                        .toList());
    }

    /** Records a fact in the transaction of the change, and queues the mail about it. */
    public Future<Void> record(
            SqlConnection transaction, Fact.Noticed fact, Subject subject, Map<String, ?> details, Notifier notifier) {
        var kind = fact.event();
        var events = kind == null ? List.<Event.Draft>of() : List.of(new Event.Draft(kind, subject, details));
        return journal.write(transaction, entry(fact, subject.target(), details), events)
                .compose(written -> notifier.tell(transaction, fact.notice()));
    }

    /** Stores an event of what the entry of another fact tells. */
    public Future<Void> publish(SqlConnection transaction, EventKind kind, Subject subject, Map<String, ?> details) {
        return publish(transaction, kind, List.of(subject), details);
    }

    /** Stores an event about each of the subjects. */
    public Future<Void> publish(
            SqlConnection transaction, EventKind kind, List<? extends Subject> subjects, Map<String, ?> details) {
        return journal.publish(
                transaction,
                subjects.stream()
                        .map(subject -> new Event.Draft(kind, subject, details))
                        .toList());
    }

    private Optional<AuditEntry> entry(Fact fact, Target target, Map<String, ?> details) {
        return journal.entry(project, actor, fact, target, details);
    }

    /** Queues an entry for something that changes nothing; it is written a moment later. */
    public void enqueue(Fact.Logged fact, Target target, Map<String, ?> details) {
        journal.enqueue(project, actor, fact, target, details);
    }

    /** Queues an entry for a sign in that opens no session, and counts it. */
    public void enqueueRefusedSignIn(Fact.Logged fact, Target target, Map<String, ?> details) {
        journal.countRefusedSignIn(project);
        enqueue(fact, target, details);
    }
}
