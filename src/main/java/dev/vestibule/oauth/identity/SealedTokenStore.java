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

/** Seals the providers' tokens of users, for projects that store them. */
public final class SealedTokenStore implements SealedSecrets {
    private static final SealedRow BEFORE_ALL = new SealedRow(new ProjectId(new UUID(0, 0)), " ", List.of());

    private final Sealer sealer;

    public SealedTokenStore(Sealer sealer) {
        this.sealer = sealer;
    }

    public Buffer seal(ProjectId project, Provider provider, String subject, Buffer tokens) {
        return Buffer.buffer(sealer.seal(tokens.getBytes(), context(project, owner(provider.name(), subject))));
    }

    public Buffer open(ProjectId project, Provider provider, String subject, Buffer sealed) {
        return Buffer.buffer(sealer.open(sealed.getBytes(), context(project, owner(provider.name(), subject))));
    }

    /** Binds sealed tokens to their project, provider and user: they do not open elsewhere. */
    private static byte[] context(ProjectId project, String owner) {
        return ("provider tokens " + project + " " + owner).getBytes(StandardCharsets.UTF_8);
    }

    private static String owner(String provider, String subject) {
        return provider + " " + subject;
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
            SELECT project_id, provider, subject, sealed_tokens
            FROM identities
            WHERE sealed_tokens IS NOT NULL AND substring(sealed_tokens FROM 1 FOR 5) = ANY ($1::bytea[])
              AND (project_id, provider, subject) > ($2::uuid, $3::text, $4::text)
            ORDER BY project_id, provider, subject
            LIMIT $5
            """;

    @Override
    public Future<List<SealedRow>> outdated(SqlClient db, Optional<SealedRow> after, int limit) {
        var prefixes = sealer.outdatedPrefixes().stream().map(Buffer::buffer).toArray(Buffer[]::new);
        var last = after.orElse(BEFORE_ALL);
        var owner = last.owner().split(" ", 2);
        return db.preparedQuery(OUTDATED)
                .execute(Tuple.of(prefixes, last.project().value(), owner[0], owner[1], limit))
                .map(rows -> Rows.all(rows, SealedTokenStore::sealedRow));
    }

    private static SealedRow sealedRow(Row row) {
        return new SealedRow(
                new ProjectId(row.getUUID("project_id")),
                owner(row.getString("provider"), row.getString("subject")),
                List.of(row.getBuffer("sealed_tokens")));
    }

    private static final String REPLACE = """
            UPDATE identities SET sealed_tokens = $5
            WHERE project_id = $1 AND provider = $2 AND subject = $3 AND sealed_tokens = $4
            """;

    @Override
    public Future<Void> reseal(SqlClient db, SealedRow row) {
        var sealed = row.sealed().get(0);
        var owner = row.owner().split(" ", 2);
        var context = context(row.project(), row.owner());
        var renewed = sealer.seal(sealer.open(sealed.getBytes(), context), context);
        return db.preparedQuery(REPLACE)
                .execute(Tuple.of(row.project().value(), owner[0], owner[1], sealed, Buffer.buffer(renewed)))
                .mapEmpty();
    }
}
