package dev.vestibule.webhook;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SealedSecrets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sealed signing secrets of all endpoints, current and previous, for a change of the master secret. */
public final class SealedSigningSecretStore implements SealedSecrets {
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Sealer sealer;

    public SealedSigningSecretStore(Sealer sealer) {
        this.sealer = sealer;
    }

    @Override
    public String owners() {
        return "webhook endpoints";
    }

    @Override
    public boolean hasPreviousSecrets() {
        return !sealer.outdatedPrefixes().isEmpty();
    }

    private static final String OUTDATED = """
            SELECT project_id, id, sealed_secret, sealed_previous_secret
            FROM webhooks
            WHERE (substring(sealed_secret FROM 1 FOR 5) = ANY ($1::bytea[])
                   OR substring(sealed_previous_secret FROM 1 FOR 5) = ANY ($1::bytea[]))
              AND (project_id, id) > ($2::uuid, $3::uuid)
            ORDER BY project_id, id
            LIMIT $4
            """;

    @Override
    public Future<List<SealedRow>> outdated(SqlClient db, Optional<SealedRow> after, int limit) {
        var prefixes = sealer.outdatedPrefixes().stream().map(Buffer::buffer).toArray(Buffer[]::new);
        return db.preparedQuery(OUTDATED)
                .execute(Tuple.of(
                        prefixes,
                        after.map(row -> row.project().value()).orElse(BEFORE_ALL),
                        after.map(row -> UUID.fromString(row.owner())).orElse(BEFORE_ALL),
                        limit))
                .map(rows -> Rows.all(rows, SealedSigningSecretStore::sealedRow));
    }

    private static SealedRow sealedRow(Row row) {
        return new SealedRow(
                new ProjectId(row.getUUID("project_id")),
                row.getUUID("id").toString(),
                Stream.of("sealed_secret", "sealed_previous_secret")
                        .flatMap(column -> Stream.ofNullable(row.getBuffer(column)))
                        .toList());
    }

    private static final String SEALED_WITH = """
            SELECT substring(sealed_secret FROM 1 FOR 5) AS prefix FROM webhooks WHERE sealed_secret IS NOT NULL
            UNION
            SELECT substring(sealed_previous_secret FROM 1 FOR 5) FROM webhooks WHERE sealed_previous_secret IS NOT NULL
            """;

    @Override
    public Future<Void> checkAreKnown(SqlClient db) {
        return db.query(SEALED_WITH).execute().map(rows -> {
            rows.forEach(row -> sealer.checkIsKnown(row.getBuffer("prefix").getBytes()));
            return null;
        });
    }

    private static final String REPLACE = """
            UPDATE webhooks SET sealed_secret = $5, sealed_previous_secret = $6
            WHERE project_id = $1 AND id = $2
              AND sealed_secret = $3 AND sealed_previous_secret IS NOT DISTINCT FROM $4
            """;

    @Override
    public Future<Void> reseal(SqlClient db, SealedRow row) {
        var webhook = UUID.fromString(row.owner());
        var renewed = row.sealed().stream()
                .map(secret -> SigningSecret.open(sealer, row.project(), webhook, secret.getBytes()))
                .map(secret -> Buffer.buffer(secret.seal(sealer, row.project(), webhook)))
                .toList();
        return db.preparedQuery(REPLACE)
                .execute(Tuple.from(new Object[] {
                    row.project().value(),
                    webhook,
                    row.sealed().get(0),
                    second(row.sealed()),
                    renewed.get(0),
                    second(renewed)
                }))
                .mapEmpty();
    }

    private static @Nullable Buffer second(List<Buffer> secrets) {
        return secrets.size() > 1 ? secrets.get(1) : null;
    }
}
