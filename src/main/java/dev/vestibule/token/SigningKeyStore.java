package dev.vestibule.token;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The signing keys of projects, their private halves sealed under the master secret. */
public final class SigningKeyStore {
    private final Sealer sealer;

    public SigningKeyStore(Sealer sealer) {
        this.sealer = sealer;
    }

    private static final String INSERT = """
            WITH added AS (
                INSERT INTO signing_keys (project_id, id, public_jwk, sealed_private_jwk, created_at, algorithm)
                VALUES ($1, $2, $3, $4, $5, $6)
                RETURNING project_id)
            INSERT INTO project_changes (project_id, transaction_id) SELECT project_id, pg_current_xact_id() FROM added
            ON CONFLICT (project_id, transaction_id) DO NOTHING
            """;

    /** Adds a new key pair, whose id is the result, and notifies every node. */
    public Future<String> add(SqlClient db, ProjectId project, Instant now) {
        return add(db, project, SigningKey.generate(now));
    }

    /** Adds this key pair, whose id is the result, and notifies every node. */
    Future<String> add(SqlClient db, ProjectId project, SigningKey key) {
        var sealed = sealer.seal(key.privateJwk().orElseThrow().toBuffer().getBytes(), context(project, key.id()));
        return Sql.run(
                        db,
                        INSERT,
                        project,
                        key.id(),
                        key.publicJwk(),
                        Buffer.buffer(sealed),
                        key.createdAt(),
                        key.algorithm())
                .map(key.id());
    }

    private static final String LIST = """
            SELECT project_id, id, public_jwk, sealed_private_jwk, created_at
            FROM signing_keys
            WHERE project_id = $1
            ORDER BY created_at DESC, id
            """;

    /** Newest first. */
    Future<List<SigningKey>> list(SqlClient db, ProjectId project) {
        return Sql.run(db, LIST, project).map(rows -> Rows.all(rows, row -> open(project, row)));
    }

    private static final String EXISTS = """
            SELECT FROM signing_keys WHERE project_id = $1 AND id = $2
            """;

    Future<Boolean> exists(SqlClient db, ProjectId project, String keyId) {
        return Sql.run(db, EXISTS, project, keyId).map(rows -> rows.size() == 1);
    }

    private static final String SEALED_WITH = """
            SELECT DISTINCT substring(sealed_private_jwk FROM 1 FOR 5) AS prefix FROM signing_keys
            WHERE sealed_private_jwk IS NOT NULL
            """;

    /** Fails if the key of any project was sealed under an unknown master secret. */
    public Future<Void> checkAreKnown(SqlClient db) {
        return db.query(SEALED_WITH).execute().map(rows -> {
            rows.forEach(row -> sealer.checkIsKnown(row.getBuffer("prefix").getBytes()));
            return null;
        });
    }

    private static final String FIND_PROJECTS_NEEDING_KEY = """
            SELECT id FROM projects
            WHERE deleted_at IS NULL AND shard IS NULL AND NOT EXISTS (
                SELECT FROM signing_keys
                WHERE project_id = projects.id AND algorithm = 'ES256' AND created_at > $1)
            ORDER BY id
            LIMIT $2
            """;

    /** Projects whose newest key was created before the given time, or that have none. */
    Future<List<ProjectId>> findProjectsNeedingKey(SqlClient db, Instant newestBefore, int limit) {
        return Sql.run(db, FIND_PROJECTS_NEEDING_KEY, newestBefore, limit)
                .map(rows -> Rows.all(rows, row -> new ProjectId(row.getUUID("id"))));
    }

    private static final String LOCK_PROJECT = """
            SELECT id AS project_id FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE
            """;

    private static final String NEWER_THAN = """
            SELECT id FROM signing_keys WHERE project_id = $1 AND algorithm = 'ES256' AND created_at > $2
            """;

    /** Adds a key unless another node has done so since; needs a transaction. */
    Future<Void> addIfNeeded(SqlClient transaction, ProjectId project, Instant newestBefore, Instant now) {
        return lock(transaction, project)
                .compose(locked -> locked
                        ? addUnlessNewer(transaction, project, newestBefore, now)
                        : Future.succeededFuture()); // deleted since
    }

    /** Locks the project, so that no other transaction changes its keys; false if it was deleted. */
    Future<Boolean> lock(SqlClient transaction, ProjectId project) {
        return Sql.run(transaction, LOCK_PROJECT, project).map(locked -> locked.size() == 1);
    }

    private Future<Void> addUnlessNewer(SqlClient transaction, ProjectId project, Instant newestBefore, Instant now) {
        return Sql.run(transaction, NEWER_THAN, project, newestBefore)
                .compose(newer -> newer.size() > 0
                        ? Future.succeededFuture()
                        : add(transaction, project, now).mapEmpty());
    }

    private static final String AGES = """
            SELECT project_id, id, created_at
            FROM signing_keys
            WHERE project_id = $1 AND algorithm = 'ES256' AND sealed_private_jwk IS NOT NULL
            ORDER BY created_at DESC, id
            """;

    /** When a key was created. */
    record Age(String keyId, Instant createdAt) {}

    /** Newest first, without retired ones; decrypts no key. */
    Future<List<Age>> ages(SqlClient db, ProjectId project) {
        return Sql.run(db, AGES, project)
                .map(rows -> Rows.all(rows, row -> new Age(row.getString("id"), Rows.instant(row, "created_at"))));
    }

    private static final String NEWEST_RSA = """
            SELECT max(created_at) AS newest FROM signing_keys WHERE project_id = $1 AND algorithm = 'RS256'
            """;

    /** When the project's newest RSA key was made; null if it has none. */
    Future<@Nullable Instant> newestRsa(SqlClient db, ProjectId project) {
        return Sql.run(db, NEWEST_RSA, project)
                .map(rows -> Rows.single(rows, row -> Rows.optionalInstant(row, "newest")));
    }

    private static final String DELETE_OTHERS = """
            DELETE FROM signing_keys WHERE project_id = $1 AND id <> $2
            RETURNING id
            """;

    /** Removes all keys but one, and returns their ids. Does not notify the nodes: the caller does. */
    Future<List<String>> deleteOthers(SqlClient transaction, ProjectId project, String kept) {
        return Sql.run(transaction, DELETE_OTHERS, project, kept)
                .map(rows -> Rows.all(rows, row -> row.getString("id")));
    }

    private static final String OF_SUCCEEDED = """
            WITH changed AS (
                %s
                WHERE successor.project_id = old.project_id AND successor.algorithm = old.algorithm
                  AND successor.created_at > old.created_at
                  AND successor.created_at < $1
                  %s
                RETURNING old.project_id)
            INSERT INTO project_changes (project_id, transaction_id)
            SELECT DISTINCT project_id, pg_current_xact_id() FROM changed
            """;

    private static final String RETIRE_SUCCEEDED = OF_SUCCEEDED.formatted(
            "UPDATE signing_keys AS old SET sealed_private_jwk = NULL FROM signing_keys AS successor",
            "AND old.sealed_private_jwk IS NOT NULL");

    /** Destroys, in all projects, the private halves of the keys whose successor was created before the given time. */
    Future<Void> retireSucceeded(SqlClient db, Instant successorBefore) {
        return Sql.run(db, RETIRE_SUCCEEDED, successorBefore).mapEmpty();
    }

    private static final String DELETE_SUCCEEDED =
            OF_SUCCEEDED.formatted("DELETE FROM signing_keys AS old USING signing_keys AS successor", "");

    /** Removes, in all projects, the keys whose successor was created before the given time. */
    Future<Void> deleteSucceeded(SqlClient db, Instant successorBefore) {
        return Sql.run(db, DELETE_SUCCEEDED, successorBefore).mapEmpty();
    }

    private static final String DELETE_ALL = """
            DELETE FROM signing_keys WHERE project_id = $1
            """;

    /** Does not notify the nodes: the caller, which deletes the project, does. */
    public Future<Void> deleteAll(SqlClient db, ProjectId project) {
        return Sql.run(db, DELETE_ALL, project).mapEmpty();
    }

    private SigningKey open(ProjectId project, Row row) {
        var id = row.getString("id");
        return new SigningKey(
                id,
                row.getJsonObject("public_jwk"),
                Optional.ofNullable(row.getBuffer("sealed_private_jwk"))
                        .map(Buffer::getBytes)
                        .map(bytes -> sealer.open(bytes, context(project, id)))
                        .map(opened -> new JsonObject(Buffer.buffer(opened))),
                Rows.instant(row, "created_at"));
    }

    private static byte[] context(ProjectId project, String keyId) {
        return ("signing key " + project + " " + keyId).getBytes(StandardCharsets.UTF_8);
    }
}
