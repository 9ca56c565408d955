package dev.vestibule.token;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * {@code POST /v1/dashboard/projects/:projectId/signing-keys/rotate}: adds a signing key, which signs once the clients that
 * cache the key set can know it; or, where a key has leaked, replaces all keys at once.
 */
public final class RotateSigningKeysHandler implements ApiHandler {
    private record Response(String keyId, Instant signsFrom, List<String> revoked) {}

    private final ProjectChanges changes;
    private final SigningKeyStore keys;
    private final int maxKeys;
    private final Auditor audit;
    private final Clock clock;

    RotateSigningKeysHandler(ProjectChanges changes, SigningKeyStore keys, int maxKeys, Auditor audit, Clock clock) {
        this.changes = changes;
        this.keys = keys;
        this.maxKeys = maxKeys;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var revoke = Body.find(ctx)
                .map(body -> Fields.readStrictly(body, RotateSigningKeysHandler::revoke))
                .orElse(false);
        var trail = audit.of(ctx);
        return changes.inTransaction(
                        project, transaction -> rotate(trail, transaction, project, revoke, clock.instant()))
                .map(Reply::ok);
    }

    private static boolean revoke(Fields fields) {
        return Boolean.TRUE.equals(
                fields.replacement("revoke", FieldType.bool()).value());
    }

    private Future<Response> rotate(
            AuditTrail trail, SqlConnection transaction, ProjectId project, boolean revoke, Instant now) {
        return keys.lock(transaction, project)
                .compose(locked -> {
                    if (!locked) {
                        throw ApiException.notFound("There is no such project.");
                    }
                    return revoke ? replaceAll(transaction, project, now) : addNext(transaction, project, now);
                })
                .compose(response -> trail.record(
                                transaction,
                                AuditEvent.SIGNING_KEYS_ROTATED,
                                Target.project(project.value()),
                                Map.of("keyId", response.keyId(), "revoke", revoke))
                        .map(response));
    }

    /** The only key of a set signs, however new it is. */
    private Future<Response> replaceAll(SqlClient transaction, ProjectId project, Instant now) {
        return keys.add(transaction, project, now)
                .compose(added -> keys.deleteOthers(transaction, project, added)
                        .map(revoked -> new Response(added, now, revoked)));
    }

    /** A key that waits to sign is the next one already, so that repeated requests add no more. */
    private Future<Response> addNext(SqlClient transaction, ProjectId project, Instant now) {
        return keys.ages(transaction, project).compose(ages -> {
            var newest = ages.get(0);
            if (ages.size() > 1 && KeySet.signsFrom(newest.createdAt()).isAfter(now)) {
                return Future.succeededFuture(published(newest.keyId(), newest.createdAt()));
            }
            if (ages.size() >= maxKeys) {
                throw ApiException.conflict("The project already has " + maxKeys
                        + " signing keys that valid tokens need. Wait until the oldest is removed, within a day, or"
                        + " revoke all with {\"revoke\": true}.");
            }
            var createdAt = later(now, newest.createdAt().plusMillis(1));
            return keys.add(transaction, project, createdAt).map(added -> published(added, createdAt));
        });
    }

    /** Keys have an order even if the clock of the node that made the newest one is ahead. */
    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Response published(String keyId, Instant createdAt) {
        return new Response(keyId, KeySet.signsFrom(createdAt), List.of());
    }
}
