package dev.vestibule.oauth.provider;

import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Rows;
import dev.vestibule.database.SealedTable;
import dev.vestibule.database.Sql;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.oauth.catalogue.CatalogueEntry;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.provider.ProviderSettings.SetProviderRequest;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SealedSecrets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The provider settings of projects, with the client secrets sealed under the master secret. */
public final class ProviderStore {
    static final SealedTable SEALED =
            SealedTable.of("identity_providers", List.of("provider"), List.of("sealed_client_secret"));

    private static final String COLUMNS = """
            provider, name, icon, client_id, enabled, scopes, oauth_flow, issuer, tenant, team_id, key_id, store_tokens,
            native_client_ids, created_at, updated_at""";

    private final Sealer sealer;
    private final Catalogue catalogue;

    public ProviderStore(Sealer sealer, Catalogue catalogue) {
        this.sealer = sealer;
        this.catalogue = catalogue;
    }

    private static final String LIST = """
            SELECT %s FROM identity_providers
            WHERE project_id = $1 AND organization_id IS NULL
            ORDER BY created_at DESC, provider
            """.formatted(COLUMNS);

    /** Newest first. */
    public Future<List<ProviderSettings>> list(SqlClient db, ProjectId project) {
        return Sql.run(db, LIST, project).map(rows -> Rows.all(rows, ProviderStore::settings));
    }

    private static final String ENABLED = """
            SELECT provider, name, icon IS NOT NULL AS has_icon, oauth_flow FROM identity_providers
            WHERE project_id = $1 AND enabled AND organization_id IS NULL
            ORDER BY created_at, provider
            """;

    /**
     * In the order of the catalogue, without providers that are no longer in it, and then those that the project has
     * named, the oldest first.
     */
    Future<Map<Provider, OfferedProvider>> enabled(SqlClient db, ProjectId project) {
        return Sql.run(db, ENABLED, project).map(rows -> {
            var found = new LinkedHashMap<Provider, OfferedProvider>();
            rows.forEach(row -> found.put(provider(row), offered(row)));
            var enabled = new LinkedHashMap<Provider, OfferedProvider>();
            Stream.concat(
                            catalogue.providers().stream(),
                            found.keySet().stream().filter(Provider::isOwn))
                    .filter(found::containsKey)
                    .forEach(provider -> enabled.put(provider, found.get(provider)));
            return enabled;
        });
    }

    private static OfferedProvider offered(Row row) {
        return new OfferedProvider(
                Objects.requireNonNullElse(row.getString("name"), provider(row).title()),
                row.getBoolean("has_icon"),
                OauthFlow.of(row.getString("oauth_flow")));
    }

    private static final String ICONS = """
            SELECT provider, icon FROM identity_providers
            WHERE project_id = $1 AND enabled AND organization_id IS NULL AND icon IS NOT NULL
            """;

    /** The icons of enabled providers that have one. */
    Future<Map<Provider, String>> icons(SqlClient db, ProjectId project) {
        return Sql.run(db, ICONS, project)
                .map(rows -> Rows.all(rows, row -> Map.entry(provider(row), row.getString("icon"))).stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    private static final String TITLE = """
            SELECT name FROM identity_providers WHERE project_id = $1 AND provider = $2 AND organization_id IS NULL
            """;

    /** The name that people know a provider by, even if it is no longer set up. */
    public static Future<String> title(SqlClient db, ProjectId project, Provider provider) {
        return Sql.run(db, TITLE, project, provider.name())
                .map(rows -> Rows.first(rows, row -> Optional.ofNullable(row.getString("name")))
                        .flatMap(Function.identity())
                        .orElseGet(provider::title));
    }

    private static final String FIND = """
            SELECT %s FROM identity_providers
            WHERE project_id = $1 AND provider = $2 AND organization_id IS NULL
            """.formatted(COLUMNS);

    /** Empty if the project has not set the provider up. */
    public Future<Optional<ProviderSettings>> find(SqlClient db, ProjectId project, Provider provider) {
        return Sql.run(db, FIND, project, provider.name()).map(rows -> Rows.first(rows, ProviderStore::settings));
    }

    private static final String CONNECTION = """
            SELECT %s, sealed_client_secret, organization_id FROM identity_providers
            WHERE project_id = $1 AND provider = $2 AND enabled
            """.formatted(COLUMNS);

    /** Empty if the project, or the organization whose connection it is, has not enabled the provider. */
    public Future<Optional<ProviderConnection>> connection(SqlClient db, ProjectId project, Provider provider) {
        var entry = catalogue.find(provider.inCatalogue());
        return entry.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : Sql.run(db, CONNECTION, project, provider.name())
                        .map(rows -> Rows.first(rows, row -> connection(row, project, entry.get())));
    }

    private static final String CONNECTION_TO_TRY = """
            SELECT %s, sealed_client_secret, organization_id FROM identity_providers
            WHERE project_id = $1 AND provider = $2
            """.formatted(COLUMNS);

    /** Also finds a disabled one, since owners try out a provider before they enable it for users. */
    public Future<Optional<ProviderConnection>> connectionToTry(SqlClient db, ProjectId project, Provider provider) {
        var entry = catalogue.find(provider.inCatalogue());
        return entry.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : Sql.run(db, CONNECTION_TO_TRY, project, provider.name())
                        .map(rows -> Rows.first(rows, row -> connection(row, project, entry.get())));
    }

    private ProviderConnection connection(Row row, ProjectId project, CatalogueEntry entry) {
        return new ProviderConnection(
                project, entry, settings(row), open(row, project, provider(row)), row.getUUID("organization_id"));
    }

    private static final String PUT = """
            INSERT INTO identity_providers AS kept (project_id, provider, client_id, enabled, scopes, oauth_flow, issuer,
                tenant, team_id, key_id, store_tokens, created_at, updated_at, native_client_ids, name, icon,
                sealed_client_secret)
            SELECT id, $2::text, $3::text, $4::boolean, $5::text[], $6::text, $7::text, $8::text, $9::text, $10::text,
                $11::boolean, $12::timestamptz, $12::timestamptz, $13::text[], $14::text, $15::text, $16::bytea
            FROM projects WHERE id = $1 AND deleted_at IS NULL
            ON CONFLICT (project_id, provider) DO UPDATE
            SET client_id = excluded.client_id, sealed_client_secret = excluded.sealed_client_secret,
                enabled = excluded.enabled, scopes = excluded.scopes, oauth_flow = excluded.oauth_flow,
                issuer = excluded.issuer, tenant = excluded.tenant, team_id = excluded.team_id,
                key_id = excluded.key_id, store_tokens = excluded.store_tokens, updated_at = excluded.updated_at,
                native_client_ids = excluded.native_client_ids, name = excluded.name, icon = excluded.icon
            RETURNING %s
            """.formatted(COLUMNS);

    private static final String PUT_BUT_KEEP_SECRET = """
            UPDATE identity_providers
            SET client_id = $3, enabled = $4, scopes = $5, oauth_flow = $6, tenant = $8, team_id = $9, key_id = $10,
                store_tokens = $11, updated_at = $12, native_client_ids = $13, name = $14, icon = $15
            WHERE project_id = $1 AND provider = $2 AND issuer IS NOT DISTINCT FROM $7
            RETURNING %s
            """.formatted(COLUMNS);

    /** Empty if the project is gone, or if there is no stored secret to keep for this issuer. */
    public Future<Optional<ProviderSettings>> put(
            SqlClient db, ProjectId project, Provider provider, SetProviderRequest request, Instant now) {
        var values = new ArrayList<@Nullable Object>(Arrays.asList(
                project,
                provider.name(),
                request.clientId(),
                request.enabled(),
                array(request.scopes()),
                request.oauthFlow().text(),
                request.issuer(),
                request.tenant(),
                request.teamId(),
                request.keyId(),
                request.storeTokens(),
                now,
                array(request.nativeClientIds()),
                request.name(),
                request.icon()));
        var secret = request.clientSecret();
        if (secret != null) {
            values.add(seal(secret, project, provider));
        }
        var put = secret == null
                ? Sql.run(db, PUT_BUT_KEEP_SECRET, values.toArray())
                : Sql.run(db, PUT, values.toArray());
        return put.map(rows -> Rows.first(rows, ProviderStore::settings));
    }

    private static final String DELETE = """
            DELETE FROM identity_providers WHERE project_id = $1 AND provider = $2 AND organization_id IS NULL
            """;

    /** False if the provider was not set up. */
    public Future<Boolean> delete(SqlClient db, ProjectId project, Provider provider) {
        return Sql.run(db, DELETE, project, provider.name()).map(rows -> rows.rowCount() == 1);
    }

    /** Seals the client secret of a row of this project and provider. */
    public Buffer seal(String secret, ProjectId project, Provider provider) {
        return Buffer.buffer(sealer.seal(secret.getBytes(StandardCharsets.UTF_8), context(project, provider.name())));
    }

    private String open(Row row, ProjectId project, Provider provider) {
        var sealed = row.getBuffer("sealed_client_secret").getBytes();
        return new String(sealer.open(sealed, context(project, provider.name())), StandardCharsets.UTF_8);
    }

    /** The client secrets, to be sealed again when the master secret changes. */
    public SealedSecrets sealedSecrets() {
        return new SealedSecrets(
                "identity providers",
                SEALED,
                true,
                sealer,
                (project, provider) -> context(project, provider.getString(0)));
    }

    /** Binds a sealed secret to its project and provider: it cannot be opened for another one. */
    private static byte[] context(ProjectId project, String provider) {
        return ("provider secret " + project + " " + provider).getBytes(StandardCharsets.UTF_8);
    }

    private static ProviderSettings settings(Row row) {
        var scopes = row.getArrayOfStrings("scopes");
        return new ProviderSettings(
                provider(row),
                row.getString("name"),
                row.getString("icon"),
                row.getString("client_id"),
                row.getBoolean("enabled"),
                scopes == null ? null : List.of(scopes),
                OauthFlow.of(row.getString("oauth_flow")),
                row.getString("issuer"),
                row.getString("tenant"),
                row.getString("team_id"),
                row.getString("key_id"),
                row.getBoolean("store_tokens"),
                List.of(row.getArrayOfStrings("native_client_ids")),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }

    private static Provider provider(Row row) {
        return new Provider(row.getString("provider"));
    }

    private static String @Nullable [] array(@Nullable List<String> texts) {
        return texts == null ? null : texts.toArray(String[]::new);
    }
}
