package dev.vestibule.provider;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** The client secrets of all projects' providers, as they are sealed. */
public final class SealedSecretStore {
    /** One provider's sealed secret, and whose it is. */
    record SealedSecret(ProjectId project, String provider, Buffer sealed) {}

    private final Sealer sealer;

    public SealedSecretStore(Sealer sealer) {
        this.sealer = sealer;
    }

    /** Whether there are earlier master secrets, so that anything can be outdated. */
    boolean mayHoldOutdated() {
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

    /** Of all projects, in order, what was sealed under an earlier master secret. */
    Future<List<SealedSecret>> outdated(SqlClient db, ProjectId afterProject, String afterProvider, int limit) {
        var prefixes = sealer.outdatedPrefixes().stream().map(Buffer::buffer).toArray(Buffer[]::new);
        return db.preparedQuery(OUTDATED)
                .execute(Tuple.of(prefixes, afterProject.value(), afterProvider, limit))
                .map(rows -> Rows.all(
                        rows,
                        row -> new SealedSecret(
                                new ProjectId(row.getUUID("project_id")),
                                row.getString("provider"),
                                row.getBuffer("sealed_client_secret"))));
    }

    private static final String REPLACE = """
            UPDATE identity_providers SET sealed_client_secret = $4
            WHERE project_id = $1 AND provider = $2 AND sealed_client_secret = $3
            """;

    /** Seals the secret anew, under the current master secret, unless somebody has changed it meanwhile. */
    Future<Void> renew(SqlClient db, SealedSecret secret) {
        var context = ProviderStore.context(secret.project(), secret.provider());
        var renewed = sealer.seal(sealer.open(secret.sealed().getBytes(), context), context);
        return db.preparedQuery(REPLACE)
                .execute(Tuple.of(secret.project().value(), secret.provider(), secret.sealed(), Buffer.buffer(renewed)))
                .mapEmpty();
    }
}
