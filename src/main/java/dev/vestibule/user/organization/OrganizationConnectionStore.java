package dev.vestibule.user.organization;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.provider.ProviderStore;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The connections of organizations: rows of the table of providers, so that {@link ProviderStore} opens and re-seals
 * their secrets, and everything that signs in with a provider finds them. A transaction that changes them must hold the
 * organization's lock.
 */
final class OrganizationConnectionStore {
    private static final String COLUMNS = """
            provider, organization_id, name, issuer, client_id, enabled, created_at, updated_at""";

    private final ProviderStore providers;

    OrganizationConnectionStore(ProviderStore providers) {
        this.providers = providers;
    }

    private static final String LIST = """
            SELECT %s FROM identity_providers
            WHERE project_id = $1 AND organization_id = $2
            ORDER BY created_at, provider
            """.formatted(COLUMNS);

    /** The oldest first. */
    Future<List<OrganizationConnection>> list(SqlClient db, Organization organization) {
        return Sql.run(db, LIST, organization.projectId(), organization.id())
                .map(rows -> Rows.all(rows, OrganizationConnectionStore::connection));
    }

    private static final String INSERT = """
            INSERT INTO identity_providers (project_id, provider, organization_id, name, issuer, client_id,
                sealed_client_secret, enabled, oauth_flow, created_at, updated_at)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, 'auto', $9, $9
            WHERE (SELECT count(*) FROM identity_providers WHERE project_id = $1 AND organization_id = $3) < $10
            RETURNING %s
            """.formatted(COLUMNS);

    /** Empty if the organization has as many as it may have. */
    Future<Optional<OrganizationConnection>> insert(
            SqlClient transaction, ProjectId project, OrganizationConnection connection, String secret, int maximum) {
        return Sql.run(
                        transaction,
                        INSERT,
                        project,
                        connection.provider().name(),
                        connection.organizationId(),
                        connection.name(),
                        connection.issuer(),
                        connection.clientId(),
                        providers.seal(secret, project, connection.provider()),
                        connection.enabled(),
                        connection.createdAt(),
                        maximum)
                .map(rows -> Rows.first(rows, OrganizationConnectionStore::connection));
    }

    private static final String FIND = """
            SELECT %s FROM identity_providers WHERE project_id = $1 AND organization_id = $2 AND provider = $3
            """.formatted(COLUMNS);

    Future<Optional<OrganizationConnection>> find(SqlClient db, Organization organization, UUID id) {
        return Sql.run(db, FIND, organization.projectId(), organization.id(), name(id))
                .map(rows -> Rows.first(rows, OrganizationConnectionStore::connection));
    }

    private static final String REPLACE = """
            UPDATE identity_providers
            SET name = $4, issuer = $5, client_id = $6, enabled = $7, updated_at = $8,
                sealed_client_secret = coalesce($9, sealed_client_secret)
            WHERE project_id = $1 AND organization_id = $2 AND provider = $3
            RETURNING %s
            """.formatted(COLUMNS);

    /** Replaces the connection; if no secret is given, the stored one stays. */
    Future<OrganizationConnection> replace(
            SqlClient transaction, ProjectId project, OrganizationConnection changed, @Nullable String secret) {
        return Sql.run(
                        transaction,
                        REPLACE,
                        project,
                        changed.organizationId(),
                        changed.provider().name(),
                        changed.name(),
                        changed.issuer(),
                        changed.clientId(),
                        changed.enabled(),
                        changed.updatedAt(),
                        secret == null ? null : providers.seal(secret, project, changed.provider()))
                .map(rows -> Rows.single(rows, OrganizationConnectionStore::connection));
    }

    private static final String REMOVE = """
            DELETE FROM identity_providers WHERE project_id = $1 AND organization_id = $2 AND provider = $3
            RETURNING %s
            """.formatted(COLUMNS);

    Future<Optional<OrganizationConnection>> remove(SqlClient transaction, Organization organization, UUID id) {
        return Sql.run(transaction, REMOVE, organization.projectId(), organization.id(), name(id))
                .map(rows -> Rows.first(rows, OrganizationConnectionStore::connection));
    }

    private static final String IS_USABLE = """
            SELECT EXISTS (
                SELECT FROM identity_providers
                WHERE project_id = $1 AND organization_id = $2 AND enabled) AS is_usable
            """;

    /** Whether the organization has an enabled connection. */
    static Future<Boolean> hasEnabled(SqlClient db, Organization organization) {
        return Sql.run(db, IS_USABLE, organization.projectId(), organization.id())
                .map(rows -> Rows.single(rows, row -> row.getBoolean("is_usable")));
    }

    private static String name(UUID id) {
        return Provider.ofConnection(id).name();
    }

    private static OrganizationConnection connection(Row row) {
        var provider = new Provider(row.getString("provider"));
        return new OrganizationConnection(
                provider.connection(),
                new OrganizationId(row.getUUID("organization_id")),
                row.getString("name"),
                provider,
                row.getString("issuer"),
                row.getString("client_id"),
                row.getBoolean("enabled"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }
}
