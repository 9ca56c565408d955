package dev.vestibule.project;

import dev.vestibule.database.Rows;
import dev.vestibule.project.KnownProject.KnownKey;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The API keys of a project, each as the hash of its text. */
public final class ApiKeyStore {
    private static final String INSERT = """
            INSERT INTO api_keys (project_id, id, kind, hash, public_text, last_four, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """;

    /** Keeps the hash, and of a publishable key, which is no secret, the text as well. */
    public Future<Void> insert(SqlClient db, ProjectId project, UUID id, ApiKey key, Instant now) {
        return db.preparedQuery(INSERT)
                .execute(Tuple.from(new Object[] {
                    project.value(),
                    id,
                    key.kind().text(),
                    Buffer.buffer(key.hash()),
                    key.kind() == ApiKey.Kind.PUBLISHABLE ? key.text() : null,
                    key.lastFour(),
                    Rows.timestamp(now)
                }))
                .mapEmpty();
    }

    private static final String KNOWN = """
            SELECT id, kind, hash FROM api_keys WHERE project_id = $1
            """;

    Future<Map<ByteBuffer, KnownKey>> known(SqlClient db, ProjectId project) {
        return db.preparedQuery(KNOWN).execute(Tuple.of(project.value())).map(rows -> {
            var keys = new HashMap<ByteBuffer, KnownKey>();
            rows.forEach(row -> keys.put(
                    ByteBuffer.wrap(row.getBuffer("hash").getBytes()),
                    new KnownKey(row.getUUID("id"), ApiKey.Kind.of(row.getString("kind")))));
            return keys;
        });
    }
}
