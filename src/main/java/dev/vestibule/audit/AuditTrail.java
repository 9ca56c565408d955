package dev.vestibule.audit;

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

    /** This connection, after it has proved whose it is. */
    public AuditTrail as(UUID provedId) {
        return new AuditTrail(log, project, actor.as(provedId));
    }

    /** Of the dashboard user who acts as this user; this one if nobody does. */
    public AuditTrail actedBy(@Nullable UUID impersonator) {
        return new AuditTrail(log, project, actor.actedBy(impersonator));
    }

    /** Writes an entry in the transaction of the change. */
    public Future<Void> record(SqlConnection transaction, AuditEvent event, Target target) {
        return record(transaction, event, target, Map.of());
    }

    /** Writes an entry in the transaction of the change, with what the ids do not say. */
    public Future<Void> record(SqlConnection transaction, AuditEvent event, Target target, Map<String, ?> metadata) {
        return log.record(transaction, project, actor, event, target, metadata);
    }

    /** Writes an entry soon, for what changes nothing. */
    public void note(AuditEvent event, Target target, Map<String, ?> metadata) {
        log.note(project, actor, event, target, metadata);
    }

    /** Notes and counts a sign in that opens no session. */
    public void noteRefusedSignIn(AuditEvent event, Target target, Map<String, ?> metadata) {
        log.countRefusedSignIn(project);
        note(event, target, metadata);
    }
}
