package dev.vestibule.access.captcha;

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

/** The sealed secret keys of all projects' captcha providers, for a change of the master secret. */
final class SealedSiteSecretStore implements SealedSecrets {
    private static final SealedRow BEFORE_ALL = new SealedRow(new ProjectId(new UUID(0, 0)), "", List.of());

    private final Sealer sealer;

    SealedSiteSecretStore(Sealer sealer) {
        this.sealer = sealer;
    }

    @Override
    public String owners() {
        return "captcha providers";
    }

    @Override
    public boolean hasPreviousSecrets() {
        return !sealer.outdatedPrefixes().isEmpty();
    }

    private static final String OUTDATED = """
            SELECT project_id, sealed_secret
            FROM captcha_secrets
            WHERE substring(sealed_secret FROM 1 FOR 5) = ANY ($1::bytea[]) AND project_id > $2::uuid
            ORDER BY project_id
            LIMIT $3
            """;

    @Override
    public Future<List<SealedRow>> outdated(SqlClient db, Optional<SealedRow> after, int limit) {
        var prefixes = sealer.outdatedPrefixes().stream().map(Buffer::buffer).toArray(Buffer[]::new);
        return db.preparedQuery(OUTDATED)
                .execute(Tuple.of(prefixes, after.orElse(BEFORE_ALL).project().value(), limit))
                .map(rows -> Rows.all(
                        rows,
                        row -> new SealedRow(
                                new ProjectId(row.getUUID("project_id")),
                                "",
                                List.of(row.getBuffer("sealed_secret")))));
    }

    private static final String SEALED_WITH = """
            SELECT DISTINCT substring(sealed_secret FROM 1 FOR 5) AS prefix FROM captcha_secrets
            """;

    @Override
    public Future<Void> checkAreKnown(SqlClient db) {
        return db.query(SEALED_WITH).execute().map(rows -> {
            rows.forEach(row -> sealer.checkIsKnown(row.getBuffer("prefix").getBytes()));
            return null;
        });
    }

    private static final String REPLACE = """
            UPDATE captcha_secrets SET sealed_secret = $3 WHERE project_id = $1 AND sealed_secret = $2
            """;

    @Override
    public Future<Void> reseal(SqlClient db, SealedRow row) {
        var secret = row.sealed().get(0);
        var context = SiteSecretStore.context(row.project());
        var renewed = sealer.seal(sealer.open(secret.getBytes(), context), context);
        return db.preparedQuery(REPLACE)
                .execute(Tuple.of(row.project().value(), secret, Buffer.buffer(renewed)))
                .mapEmpty();
    }
}
