package dev.vestibule.project;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.json.Page;
import dev.vestibule.project.CachedProject.CachedKey;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The API keys of projects, each stored as the hash of its text. */
public final class ApiKeyStore {
    /** One use of a project's API key. */
    record ApiKeyUse(ProjectId project, UUID key, Instant at) {}

    private static final String INSERT = """
            INSERT INTO api_keys (project_id, id, kind, hash, public_text, last_four, name, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """;

    /** Stores the hash, and also the text of a publishable key, which is not secret. */
    public Future<Void> insert(
            SqlClient db, ProjectId project, UUID id, ApiKey key, @Nullable String name, Instant now) {
        return Sql.run(
                        db,
                        INSERT,
                        project,
                        id,
                        key.kind().text(),
                        Buffer.buffer(key.hash()),
                        key.kind() == ApiKey.Kind.PUBLISHABLE ? key.text() : null,
                        key.lastFour(),
                        name,
                        now)
                .mapEmpty();
    }

    private static final String FIND_ALL = """
            SELECT id, kind, hash FROM api_keys WHERE project_id = $1
            """;

    /** All keys of the project, by the hash of their text. */
    Future<Map<ByteBuffer, CachedKey>> findAll(SqlClient db, ProjectId project) {
        return Sql.run(db, FIND_ALL, project).map(rows -> {
            var keys = new HashMap<ByteBuffer, CachedKey>();
            rows.forEach(row -> keys.put(
                    ByteBuffer.wrap(row.getBuffer("hash").getBytes()),
                    new CachedKey(row.getUUID("id"), ApiKey.Kind.of(row.getString("kind")))));
            return keys;
        });
    }

    private static final String LIST = """
            SELECT id, kind, public_text, last_four, name, created_at, last_used_at
            FROM api_keys WHERE project_id = $1
            ORDER BY id DESC
            LIMIT $2 OFFSET $3
            """;

    /** A row of the table; only a publishable key has its text. */
    public record StoredKey(
            UUID id,
            ApiKey.Kind kind,
            @Nullable String publicText,
            String lastFour,
            @Nullable String name,
            Instant createdAt,
            @Nullable Instant lastUsedAt) {}

    /** Newest first. */
    public Future<List<StoredKey>> list(SqlClient db, ProjectId project, Page page) {
        return Sql.run(db, LIST, project, page.limit(), page.offset()).map(rows -> Rows.all(rows, ApiKeyStore::stored));
    }

    private static StoredKey stored(Row row) {
        return new StoredKey(
                row.getUUID("id"),
                ApiKey.Kind.of(row.getString("kind")),
                row.getString("public_text"),
                row.getString("last_four"),
                row.getString("name"),
                Rows.instant(row, "created_at"),
                Rows.optionalInstant(row, "last_used_at"));
    }

    private static final String RENAME = """
            UPDATE api_keys SET name = $3 WHERE project_id = $1 AND id = $2
            RETURNING id, kind, public_text, last_four, name, created_at, last_used_at
            """;

    /** Null clears the name. Empty if the project has no such key. */
    public Future<Optional<StoredKey>> rename(SqlClient db, ProjectId project, UUID key, @Nullable String name) {
        return Sql.run(db, RENAME, project, key, name).map(rows -> Rows.first(rows, ApiKeyStore::stored));
    }

    private static final String COUNT = """
            SELECT count(*) AS total FROM api_keys WHERE project_id = $1
            """;

    public Future<Long> count(SqlClient db, ProjectId project) {
        return Sql.run(db, COUNT, project).map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String DELETE = """
            DELETE FROM api_keys WHERE project_id = $1 AND id = $2
            """;

    /** False if the project has no such key. */
    public Future<Boolean> delete(SqlClient db, ProjectId project, UUID key) {
        return Sql.run(db, DELETE, project, key).map(rows -> rows.rowCount() == 1);
    }

    /** Locks in the same order as {@link #UPDATE_LAST_USED}, so that the two cannot deadlock. */
    private static final String DELETE_ALL = """
            DELETE FROM api_keys WHERE (project_id, id) IN (
                SELECT project_id, id FROM api_keys WHERE project_id = $1 ORDER BY id FOR UPDATE)
            """;

    public Future<Void> deleteAll(SqlClient db, ProjectId project) {
        return Sql.run(db, DELETE_ALL, project).mapEmpty();
    }

    /** Several nodes update the same keys: all lock them in the same order, and the latest time wins. */
    private static final String UPDATE_LAST_USED = """
            WITH used AS (
                SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS uses (project_id, id, at)),
            locked AS (
                SELECT api_keys.project_id, api_keys.id FROM api_keys JOIN used USING (project_id, id)
                ORDER BY api_keys.project_id, api_keys.id
                FOR NO KEY UPDATE OF api_keys)
            UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
            FROM locked JOIN used USING (project_id, id)
            WHERE api_keys.project_id = locked.project_id AND api_keys.id = locked.id
            """;

    /** Writes the last use of keys, which may belong to different projects. */
    Future<Void> updateLastUsed(SqlClient db, List<ApiKeyUse> uses) {
        return Sql.run(
                        db,
                        UPDATE_LAST_USED,
                        uses.stream().map(use -> use.project().value()).toArray(UUID[]::new),
                        uses.stream().map(ApiKeyUse::key).toArray(UUID[]::new),
                        uses.stream().map(use -> Rows.timestamp(use.at())).toArray(OffsetDateTime[]::new))
                .mapEmpty();
    }
}
