package dev.vestibule.oauth.provider;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SealedSecrets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The sealed client secrets of all projects, for a change of the master secret. */
public final class SealedClientSecretStore implements SealedSecrets {
    private static final SealedRow BEFORE_ALL = new SealedRow(new ProjectId(new UUID(0, 0)), "", List.of());

    private final Sealer sealer;

    public SealedClientSecretStore(Sealer sealer) {
        this.sealer = sealer;
    }

    @Override
    public String owners() {
        return "identity providers";
    }

    @Override
    public boolean hasPreviousSecrets() {
        return !sealer.outdatedPrefixes().isEmpty();
    }

    private static final String OUTDATED = """
            SELECT project_id, provider, sealed_client_secret
            FROM identity_providers
            WHERE substring(sealed_client_secret FROM 1 FOR 5) = ANY ($1::bytea[])
              AND (project_id, provider) > ($2::uuid, $3::text)
            ORDER BY project_id, provider
            LIMIT $4
            """;

    @Override
    public Future<List<SealedRow>> outdated(SqlClient db, Optional<SealedRow> after, int limit) {
        var prefixes = sealer.outdatedPrefixes().stream().map(Buffer::buffer).toArray(Buffer[]::new);
        var last = after.orElse(BEFORE_ALL);
        return db.preparedQuery(OUTDATED)
                .execute(Tuple.of(prefixes, last.project().value(), last.owner(), limit))
                .map(rows -> Rows.all(
                        rows,
                        row -> new SealedRow(
                                new ProjectId(row.getUUID("project_id")),
                                row.getString("provider"),
                                List.of(row.getBuffer("sealed_client_secret")))));
    }

    private static final String SEALED_WITH = """
            SELECT DISTINCT substring(sealed_client_secret FROM 1 FOR 5) AS prefix FROM identity_providers
            """;

    @Override
    public Future<Void> checkAreKnown(SqlClient db) {
        return db.query(SEALED_WITH).execute().map(rows -> {
            rows.forEach(row -> sealer.checkIsKnown(row.getBuffer("prefix").getBytes()));
            return null;
        });
    }

    private static final String REPLACE = """
            UPDATE identity_providers SET sealed_client_secret = $4
            WHERE project_id = $1 AND provider = $2 AND sealed_client_secret = $3
            """;

    @Override
    public Future<Void> reseal(SqlClient db, SealedRow row) {
        var secret = row.sealed().get(0);
        var context = ProviderStore.context(row.project(), row.owner());
        var renewed = sealer.seal(sealer.open(secret.getBytes(), context), context);
        return db.preparedQuery(REPLACE)
                .execute(Tuple.of(row.project().value(), row.owner(), secret, Buffer.buffer(renewed)))
                .mapEmpty();
    }
}
