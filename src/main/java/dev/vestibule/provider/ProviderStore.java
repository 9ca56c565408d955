package dev.vestibule.provider;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.project.ProjectId;
import dev.vestibule.provider.ProviderSettings.Wish;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The identity providers of projects, their client secrets sealed under the master secret. */
public final class ProviderStore {
    private final Sealer sealer;

    public ProviderStore(Sealer sealer) {
        this.sealer = sealer;
    }

    private static final String LIST = """
            SELECT provider, client_id, enabled, scopes, oauth_flow, created_at, updated_at
            FROM identity_providers
            WHERE project_id = $1
            ORDER BY created_at DESC, provider
            """;

    /** Newest first. */
    public Future<List<ProviderSettings>> list(SqlClient db, ProjectId project) {
        return db.preparedQuery(LIST)
                .execute(Tuple.of(project.value()))
                .map(rows -> Rows.all(rows, ProviderStore::settings));
    }

    private static final String ENABLED = """
            SELECT provider, oauth_flow FROM identity_providers WHERE project_id = $1 AND enabled
            """;

    /** In the order of {@link Provider}. */
    Future<Map<Provider, OauthFlow>> enabled(SqlClient db, ProjectId project) {
        return db.preparedQuery(ENABLED).execute(Tuple.of(project.value())).map(rows -> {
            var enabled = new EnumMap<Provider, OauthFlow>(Provider.class);
            rows.forEach(row -> enabled.put(provider(row), OauthFlow.of(row.getString("oauth_flow"))));
            return enabled;
        });
    }

    private static final String IS_SET_UP = """
            SELECT FROM identity_providers WHERE project_id = $1 AND provider = $2
            """;

    public Future<Boolean> isSetUp(SqlClient db, ProjectId project, Provider provider) {
        return db.preparedQuery(IS_SET_UP)
                .execute(Tuple.of(project.value(), provider.text()))
                .map(rows -> rows.size() == 1);
    }

    private static final String PUT = """
            INSERT INTO identity_providers AS kept (project_id, provider, client_id, sealed_client_secret, enabled,
                scopes, oauth_flow, created_at, updated_at)
            SELECT id, $2::text, $3::text, $4::bytea, $5::boolean, $6::text[], $7::text, $8::timestamptz, $8::timestamptz
            FROM projects WHERE id = $1 AND deleted_at IS NULL
            ON CONFLICT (project_id, provider) DO UPDATE
            SET client_id = excluded.client_id, sealed_client_secret = excluded.sealed_client_secret,
                enabled = excluded.enabled, scopes = excluded.scopes, oauth_flow = excluded.oauth_flow,
                updated_at = excluded.updated_at
            RETURNING provider, client_id, enabled, scopes, oauth_flow, created_at, updated_at
            """;

    private static final String PUT_BUT_KEEP_SECRET = """
            UPDATE identity_providers
            SET client_id = $3, enabled = $4, scopes = $5, oauth_flow = $6, updated_at = $7
            WHERE project_id = $1 AND provider = $2
            RETURNING provider, client_id, enabled, scopes, oauth_flow, created_at, updated_at
            """;

    /** Empty where there is no such project any longer, or no stored secret to keep. */
    public Future<Optional<ProviderSettings>> put(
            SqlClient db, ProjectId project, Provider provider, Wish wish, Instant now) {
        var secret = wish.clientSecret();
        var scopes = array(wish.scopes());
        var flow = wish.oauthFlow().text();
        var time = Rows.timestamp(now);
        var put = secret == null
                ? db.preparedQuery(PUT_BUT_KEEP_SECRET).execute(Tuple.from(new Object[] {
                    project.value(), provider.text(), wish.clientId(), wish.enabled(), scopes, flow, time
                }))
                : db.preparedQuery(PUT).execute(Tuple.from(new Object[] {
                    project.value(),
                    provider.text(),
                    wish.clientId(),
                    seal(secret, project, provider),
                    wish.enabled(),
                    scopes,
                    flow,
                    time
                }));
        return put.map(rows -> Rows.first(rows, ProviderStore::settings));
    }

    private static final String DELETE = """
            DELETE FROM identity_providers WHERE project_id = $1 AND provider = $2
            """;

    /** False where the provider was not set up. */
    public Future<Boolean> delete(SqlClient db, ProjectId project, Provider provider) {
        return db.preparedQuery(DELETE)
                .execute(Tuple.of(project.value(), provider.text()))
                .map(rows -> rows.rowCount() == 1);
    }

    private Buffer seal(String secret, ProjectId project, Provider provider) {
        return Buffer.buffer(sealer.seal(secret.getBytes(StandardCharsets.UTF_8), context(project, provider.text())));
    }

    /** What a sealed secret is bound to: in another project or for another provider it does not open. */
    static byte[] context(ProjectId project, String provider) {
        return ("provider secret " + project + " " + provider).getBytes(StandardCharsets.UTF_8);
    }

    private static ProviderSettings settings(Row row) {
        var scopes = row.getArrayOfStrings("scopes");
        return new ProviderSettings(
                provider(row),
                row.getString("client_id"),
                row.getBoolean("enabled"),
                scopes == null ? null : List.of(scopes),
                OauthFlow.of(row.getString("oauth_flow")),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }

    private static Provider provider(Row row) {
        return Provider.of(row.getString("provider"));
    }

    private static String @Nullable [] array(@Nullable List<String> texts) {
        return texts == null ? null : texts.toArray(String[]::new);
    }
}
