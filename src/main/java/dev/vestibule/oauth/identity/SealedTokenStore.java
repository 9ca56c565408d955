package dev.vestibule.oauth.identity;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SealedSecrets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Seals the tokens that providers issued for users, for projects that store them. */
public final class SealedTokenStore implements SealedSecrets {
    private static final SealedRow BEFORE_ALL = new SealedRow(new ProjectId(new UUID(0, 0)), "  ", List.of());

    private final Sealer sealer;

    public SealedTokenStore(Sealer sealer) {
        this.sealer = sealer;
    }

    public Buffer seal(ProjectId project, Provider provider, String subject, Buffer tokens) {
        return Buffer.buffer(sealer.seal(tokens.getBytes(), context(project, provider.name(), subject)));
    }

    public Buffer open(ProjectId project, Provider provider, String subject, Buffer sealed) {
        return Buffer.buffer(sealer.open(sealed.getBytes(), context(project, provider.name(), subject)));
    }

    /** Binds sealed tokens to their project, provider and user: they cannot be opened for another one. */
    private static byte[] context(ProjectId project, String provider, String subject) {
        return ("provider tokens " + project + " " + provider + " " + subject).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String owners() {
        return "identities at providers";
    }

    @Override
    public boolean hasPreviousSecrets() {
        return !sealer.outdatedPrefixes().isEmpty();
    }

    private static final String OUTDATED = """
            SELECT project_id, provider, issuer, subject, sealed_tokens
            FROM identities
            WHERE sealed_tokens IS NOT NULL AND substring(sealed_tokens FROM 1 FOR 5) = ANY ($1::bytea[])
              AND (project_id, provider, issuer, subject) > ($2::uuid, $3::text, $4::text, $5::text)
            ORDER BY project_id, provider, issuer, subject
            LIMIT $6
            """;

    @Override
    public Future<List<SealedRow>> outdated(SqlClient db, Optional<SealedRow> after, int limit) {
        var prefixes = sealer.outdatedPrefixes().stream().map(Buffer::buffer).toArray(Buffer[]::new);
        var last = after.orElse(BEFORE_ALL);
        var owner = key(last);
        return db.preparedQuery(OUTDATED)
                .execute(Tuple.from(
                        new Object[] {prefixes, last.project().value(), owner[0], owner[1], owner[2], limit}))
                .map(rows -> Rows.all(rows, SealedTokenStore::sealedRow));
    }

    private static SealedRow sealedRow(Row row) {
        return new SealedRow(
                new ProjectId(row.getUUID("project_id")),
                row.getString("provider") + " " + row.getString("issuer") + " " + row.getString("subject"),
                List.of(row.getBuffer("sealed_tokens")));
    }

    /** Provider, issuer and subject; only a subject may have spaces. */
    private static String[] key(SealedRow row) {
        return row.owner().split(" ", 3);
    }

    private static final String REPLACE = """
            UPDATE identities SET sealed_tokens = $6
            WHERE project_id = $1 AND provider = $2 AND issuer = $3 AND subject = $4 AND sealed_tokens = $5
            """;

    @Override
    public Future<Void> reseal(SqlClient db, SealedRow row) {
        var sealed = row.sealed().get(0);
        var owner = key(row);
        var context = context(row.project(), owner[0], owner[2]);
        var renewed = sealer.seal(sealer.open(sealed.getBytes(), context), context);
        return db.preparedQuery(REPLACE)
                .execute(Tuple.of(row.project().value(), owner[0], owner[1], owner[2], sealed, Buffer.buffer(renewed)))
                .mapEmpty();
    }
}
