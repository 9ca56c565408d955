package dev.vestibule.user.organization;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.provider.ProviderStore;
import dev.vestibule.project.OrganizationRoles;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Sets up the identity providers of organizations. While a domain requires one, the last enabled one can be neither
 * disabled nor removed: nobody of the domain could sign in any more, and to let them use other ways must be a decision
 * of its own.
 */
final class OrganizationConnections {
    private static final int MAX_CONNECTIONS = 5;

    private final Database database;
    private final Organizations organizations;
    private final OrganizationDomainStore domains = new OrganizationDomainStore();
    private final OrganizationConnectionStore store;
    private final Clock clock;

    OrganizationConnections(Database database, Organizations organizations, ProviderStore providers, Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.store = new OrganizationConnectionStore(providers);
        this.clock = clock;
    }

    Future<List<OrganizationConnection>> list(OrganizationCaller caller, OrganizationId id) {
        return organizations.find(caller, id).compose(access -> store.list(database.reads(), allowed(access)));
    }

    private static Organization allowed(OrganizationAccess access) {
        return access.require(OrganizationRoles.MANAGE_CONNECTIONS).organization();
    }

    Future<OrganizationConnection> add(OrganizationCaller caller, OrganizationId id, ConnectionFields.New given) {
        var now = clock.instant();
        var connection = UuidCreator.getTimeOrderedEpoch();
        var added = new OrganizationConnection(
                connection,
                id,
                given.name(),
                Provider.ofConnection(connection),
                given.issuer(),
                given.clientId(),
                given.enabled(),
                now,
                now);
        return inOrganization(
                caller,
                id,
                (transaction, organization) -> store.insert(
                                transaction, organization.projectId(), added, given.clientSecret(), MAX_CONNECTIONS)
                        .map(inserted ->
                                inserted.orElseThrow(() -> OrganizationErrors.tooManyConnections(MAX_CONNECTIONS)))
                        .compose(inserted -> record(
                                transaction,
                                caller.trail(),
                                Logged.ORGANIZATION_CONNECTION_ADDED,
                                inserted,
                                Map.of("issuer", inserted.issuer()))));
    }

    Future<OrganizationConnection> update(
            OrganizationCaller caller, OrganizationId id, UUID connection, ConnectionFields.Changes changes) {
        return inOrganization(
                caller,
                id,
                (transaction, organization) -> store.find(transaction, organization, connection)
                        .map(found -> found.orElseThrow(OrganizationErrors::noSuchConnection))
                        .map(stored -> changed(stored, changes))
                        .compose(changed ->
                                store.replace(transaction, organization.projectId(), changed, changes.clientSecret()))
                        .compose(changed -> requireOne(transaction, organization, changed))
                        .compose(changed -> record(
                                transaction,
                                caller.trail(),
                                Logged.ORGANIZATION_CONNECTION_UPDATED,
                                changed,
                                Map.of("fields", changes.names()))));
    }

    /** Another issuer must not receive the secret of the old one. */
    private OrganizationConnection changed(OrganizationConnection stored, ConnectionFields.Changes changes) {
        var issuer = Objects.requireNonNullElse(changes.issuer(), stored.issuer());
        if (!issuer.equals(stored.issuer()) && changes.clientSecret() == null) {
            throw ApiException.invalid(List.of(new Violation("clientSecret", "is required for another issuer")));
        }
        return new OrganizationConnection(
                stored.id(),
                stored.organizationId(),
                Objects.requireNonNullElse(changes.name(), stored.name()),
                stored.provider(),
                issuer,
                Objects.requireNonNullElse(changes.clientId(), stored.clientId()),
                Objects.requireNonNullElse(changes.enabled(), stored.enabled()),
                stored.createdAt(),
                clock.instant());
    }

    Future<OrganizationConnection> remove(OrganizationCaller caller, OrganizationId id, UUID connection) {
        return inOrganization(
                caller,
                id,
                (transaction, organization) -> store.remove(transaction, organization, connection)
                        .map(removed -> removed.orElseThrow(OrganizationErrors::noSuchConnection))
                        .compose(removed -> requireOne(transaction, organization, removed))
                        .compose(removed -> record(
                                transaction,
                                caller.trail(),
                                Logged.ORGANIZATION_CONNECTION_REMOVED,
                                removed,
                                Map.of("issuer", removed.issuer()))));
    }

    /** A 409, which rolls the change back, if a domain requires a connection and there is no enabled one any more. */
    private Future<OrganizationConnection> requireOne(
            SqlConnection transaction, Organization organization, OrganizationConnection changed) {
        return OrganizationConnectionStore.hasEnabled(transaction, organization)
                .compose(has -> has
                        ? Future.succeededFuture(changed)
                        : domains.requiresConnection(transaction, organization).map(isRequired -> {
                            if (isRequired) {
                                throw OrganizationErrors.connectionRequired();
                            }
                            return changed;
                        }));
    }

    /** A change of an organization whose lock the transaction holds. */
    private interface Work {
        Future<OrganizationConnection> run(SqlConnection transaction, Organization organization);
    }

    private Future<OrganizationConnection> inOrganization(OrganizationCaller caller, OrganizationId id, Work work) {
        return database.inTransaction(transaction ->
                organizations.lock(transaction, caller, id).compose(access -> work.run(transaction, allowed(access))));
    }

    private static Future<OrganizationConnection> record(
            SqlConnection transaction,
            Trail trail,
            Logged fact,
            OrganizationConnection connection,
            Map<String, ?> details) {
        var all = new LinkedHashMap<String, Object>(details);
        all.put("connectionId", connection.id());
        return trail.record(
                        transaction,
                        fact,
                        Target.organization(connection.organizationId().value()),
                        all)
                .map(connection);
    }
}
