package dev.vestibule.journal.audit;

import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes what one actor does in one project. */
public final class AuditTrail {
    private final AuditLog log;
    private final ProjectId project;
    private final Actor actor;

    public AuditTrail(AuditLog log, ProjectId project, Actor actor) {
        this.log = log;
        this.project = project;
        this.actor = actor;
    }

    public Actor actor() {
        return actor;
    }

    /** This actor in the log of another project. */
    public AuditTrail in(ProjectId other) {
        return new AuditTrail(log, other, actor);
    }

    /** The trail of this actor after it has proved who it is. */
    public AuditTrail as(UUID provedId) {
        return new AuditTrail(log, project, actor.as(provedId));
    }

    /** The trail of the dashboard user who impersonates this user; this trail if nobody does. */
    public AuditTrail impersonatedBy(@Nullable UUID impersonator) {
        return new AuditTrail(log, project, actor.impersonatedBy(impersonator));
    }

    /** Writes an entry in the transaction of the change. */
    public Future<Void> record(SqlConnection transaction, AuditEvent event, Target target) {
        return record(transaction, event, target, Map.of());
    }

    /** Writes an entry in the transaction of the change, with metadata for what the ids do not say. */
    public Future<Void> record(SqlConnection transaction, AuditEvent event, Target target, Map<String, ?> metadata) {
        return log.record(transaction, project, actor, event, target, metadata);
    }

    /** Queues an entry for something that changes nothing; it is written a moment later. */
    public void enqueue(AuditEvent event, Target target, Map<String, ?> metadata) {
        log.enqueue(project, actor, event, target, metadata);
    }

    /** Queues an entry for a sign in that opens no session, and counts it. */
    public void enqueueRefusedSignIn(AuditEvent event, Target target, Map<String, ?> metadata) {
        log.countRefusedSignIn(project);
        enqueue(event, target, metadata);
    }
}
