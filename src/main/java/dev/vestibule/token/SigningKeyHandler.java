package dev.vestibule.token;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Publishes and rotates a project's signing keys. */
public final class SigningKeyHandler {
    private static final String CACHE_CONTROL = "public, max-age=" + KeySet.JWKS_MAX_AGE.toSeconds();

    private final Database database;
    private final ProjectChanges changes;
    private final KeySets keySets;
    private final SigningKeyStore keys;
    private final RsaKeys rsaKeys;
    private final int maxKeys;
    private final Clock clock;

    SigningKeyHandler(
            Database database,
            ProjectChanges changes,
            KeySets keySets,
            SigningKeyStore keys,
            RsaKeys rsaKeys,
            int maxKeys,
            Clock clock) {
        this.database = database;
        this.changes = changes;
        this.keySets = keySets;
        this.keys = keys;
        this.rsaKeys = rsaKeys;
        this.maxKeys = maxKeys;
        this.clock = clock;
    }

    /** {@code GET /v1/projects/:projectId/.well-known/jwks.json}: the keys that verify a project's access tokens. */
    public Future<Reply> jwks(ApiRequest request) {
        var project = ProjectId.parse(request.pathParam("projectId")).orElseThrow(SigningKeyHandler::unknown);
        return keySets.published(database.reads(), project)
                .map(found -> found.orElseThrow(SigningKeyHandler::unknown))
                .map(published -> Reply.ok(published).withHeader("Cache-Control", CACHE_CONTROL));
    }

    private record Rotated(String keyId, Instant signsFrom, List<String> revoked) {}

    /**
     * {@code POST /v1/dashboard/projects/:projectId/signing-keys/rotate}: adds a signing key, which signs once the
     * clients that cache the key set can know it; or, if a key has leaked, replaces all keys at once.
     */
    public Future<Reply> rotate(ApiRequest request) {
        var project = request.project().id();
        var revoke = request.bodyIfAny()
                .map(body -> Fields.readStrictly(body, SigningKeyHandler::revoke))
                .orElse(false);
        var trail = request.trail();
        return changes.inTransaction(
                        project, transaction -> rotate(trail, transaction, project, revoke, clock.instant()))
                .compose(rotated -> rsaKeys.rotate(project).map(rotated))
                .map(Reply::ok);
    }

    private static boolean revoke(Fields fields) {
        return Boolean.TRUE.equals(
                fields.replacement("revoke", FieldType.bool()).value());
    }

    private Future<Rotated> rotate(
            Trail trail, SqlConnection transaction, ProjectId project, boolean revoke, Instant now) {
        return keys.lock(transaction, project)
                .compose(locked -> {
                    if (!locked) {
                        throw unknown();
                    }
                    return revoke ? replaceAll(transaction, project, now) : addNext(transaction, project, now);
                })
                .compose(rotated -> trail.record(
                                transaction,
                                Logged.SIGNING_KEYS_ROTATED,
                                Target.project(project.value()),
                                Map.of("keyId", rotated.keyId(), "revoke", revoke))
                        .map(rotated));
    }

    /** The only key of a set is used at once, however new it is. */
    private Future<Rotated> replaceAll(SqlClient transaction, ProjectId project, Instant now) {
        return keys.add(transaction, project, now)
                .compose(added -> keys.deleteOthers(transaction, project, added)
                        .map(revoked -> new Rotated(added, now, revoked)));
    }

    /** If a key is already waiting to sign, it stays the next one, so that repeated requests add no more. */
    private Future<Rotated> addNext(SqlClient transaction, ProjectId project, Instant now) {
        return keys.ages(transaction, project).compose(ages -> {
            var newest = ages.get(0);
            if (ages.size() > 1 && KeySet.signsFrom(newest.createdAt()).isAfter(now)) {
                return Future.succeededFuture(published(newest.keyId(), newest.createdAt()));
            }
            if (ages.size() >= maxKeys) {
                throw ApiException.of(
                        ErrorCode.LIMIT_REACHED,
                        "The project already has " + maxKeys
                                + " signing keys that valid tokens need. Wait until the oldest is removed, within a day, or"
                                + " revoke all with {\"revoke\": true}.");
            }
            var createdAt = later(now, newest.createdAt().plusMillis(1));
            return keys.add(transaction, project, createdAt).map(added -> published(added, createdAt));
        });
    }

    /** Keeps keys in order even if the clock of the node that created the newest one is ahead. */
    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Rotated published(String keyId, Instant createdAt) {
        return new Rotated(keyId, KeySet.signsFrom(createdAt), List.of());
    }

    private static ApiException unknown() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such project.");
    }
}
