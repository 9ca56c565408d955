package dev.vestibule.authentication.factor;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Seals the secrets of one-time passwords. */
final class SealedTotpSecretStore implements SealedSecrets {
    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Sealer sealer;

    SealedTotpSecretStore(Sealer sealer) {
        this.sealer = sealer;
    }

    Buffer seal(ProjectId project, UserId user, byte[] secret) {
        return Buffer.buffer(sealer.seal(secret, context(project, user)));
    }

    byte[] open(ProjectId project, UserId user, Buffer sealed) {
        return sealer.open(sealed.getBytes(), context(project, user));
    }

    /** Binds a secret to its user: it cannot be opened for another one. */
    private static byte[] context(ProjectId project, UserId user) {
        return ("totp " + project + " " + user).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String owners() {
        return "users with one-time passwords";
    }

    @Override
    public boolean hasPreviousSecrets() {
        return !sealer.outdatedPrefixes().isEmpty();
    }

    private static final String OUTDATED = """
            SELECT project_id, user_id, sealed_secret
            FROM totp_factors
            WHERE substring(sealed_secret FROM 1 FOR 5) = ANY ($1::bytea[])
              AND (project_id, user_id) > ($2::uuid, $3::uuid)
            ORDER BY project_id, user_id
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
                .map(rows -> Rows.all(rows, SealedTotpSecretStore::sealedRow));
    }

    private static SealedRow sealedRow(Row row) {
        return new SealedRow(
                new ProjectId(row.getUUID("project_id")),
                row.getUUID("user_id").toString(),
                List.of(row.getBuffer("sealed_secret")));
    }

    private static final String REPLACE = """
            UPDATE totp_factors SET sealed_secret = $4
            WHERE project_id = $1 AND user_id = $2 AND sealed_secret = $3
            """;

    @Override
    public Future<Void> reseal(SqlClient db, SealedRow row) {
        var user = new UserId(UUID.fromString(row.owner()));
        var sealed = row.sealed().get(0);
        var renewed = seal(row.project(), user, open(row.project(), user, sealed));
        return db.preparedQuery(REPLACE)
                .execute(Tuple.of(row.project().value(), user.value(), sealed, renewed))
                .mapEmpty();
    }
}
