package dev.vestibule.user.organization;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.journal.Actor;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Journal;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.outbound.TextRecords;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.user.organization.OrganizationDomain.Status;
import dev.vestibule.user.organization.OrganizationDomain.TextRecord;
import dev.vestibule.user.organization.OrganizationDomainStore.Due;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Proves domains by TXT records of the DNS, and looks at the records of proven ones each day. A record that is gone
 * does not change anything for a week; a DNS server that does not answer says nothing.
 */
final class OrganizationDomains {
    private static final int MAX_DOMAINS = 20;
    private static final int PROOF_BYTES = 16;
    private static final Duration CHECK_INTERVAL = Duration.ofDays(1);
    private static final Duration PATIENCE = Duration.ofDays(7);
    private static final int BATCH = 20;

    private final Database database;
    private final Organizations organizations;
    private final OrganizationDomainStore store = new OrganizationDomainStore();
    private final TextRecords records;
    private final Journal journal;
    private final ProjectChanges changes;
    private final Clock clock;

    OrganizationDomains(
            Database database,
            Organizations organizations,
            TextRecords records,
            Journal journal,
            ProjectChanges changes,
            Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.records = records;
        this.journal = journal;
        this.changes = changes;
        this.clock = clock;
    }

    Future<List<OrganizationDomain>> list(OrganizationCaller caller, OrganizationId id) {
        return organizations
                .find(caller, id)
                .compose(access -> store.list(
                        database.reads(),
                        access.require(OrganizationRoles.MANAGE_DOMAINS).organization()));
    }

    /** Adds a domain that has to be proven yet. */
    Future<OrganizationDomain> add(OrganizationCaller caller, OrganizationId id, String name, DomainPolicy policy) {
        var proof = HexFormat.of().formatHex(RandomSecrets.bytes(PROOF_BYTES));
        var domain = new OrganizationDomain(
                UuidCreator.getTimeOrderedEpoch(),
                id,
                name,
                policy,
                Status.PENDING,
                TextRecord.of(name, proof),
                null,
                null,
                clock.instant());
        return inTransaction(
                caller,
                policy,
                transaction -> lock(transaction, caller, id)
                        .compose(organization -> requireConnection(transaction, organization, policy))
                        .compose(organization -> store.insert(transaction, organization, domain, proof, MAX_DOMAINS))
                        .map(added -> added.orElseThrow(() -> OrganizationErrors.tooManyDomains(MAX_DOMAINS)))
                        .compose(
                                added -> record(transaction, caller.trail(), Logged.ORGANIZATION_DOMAIN_ADDED, added)));
    }

    Future<OrganizationDomain> setPolicy(
            OrganizationCaller caller, OrganizationId id, UUID domain, DomainPolicy policy) {
        return inTransaction(
                caller,
                policy,
                transaction -> lock(transaction, caller, id)
                        .compose(organization -> requireConnection(transaction, organization, policy))
                        .compose(organization ->
                                store.setPolicy(transaction, organization, domain, policy, clock.instant()))
                        .map(changed -> changed.orElseThrow(OrganizationErrors::noSuchDomain))
                        .compose(changed ->
                                record(transaction, caller.trail(), Logged.ORGANIZATION_DOMAIN_UPDATED, changed)));
    }

    /** All nodes remember which projects have no domain that requires a connection. */
    private <T> Future<T> inTransaction(
            OrganizationCaller caller, DomainPolicy policy, Function<SqlConnection, Future<T>> work) {
        return policy == DomainPolicy.SSO_REQUIRED
                ? changes.inTransaction(caller.project().id(), work)
                : database.inTransaction(work);
    }

    private static Future<Organization> requireConnection(
            SqlConnection transaction, Organization organization, DomainPolicy policy) {
        return policy == DomainPolicy.SSO_REQUIRED
                ? OrganizationConnectionStore.hasEnabled(transaction, organization)
                        .map(has -> {
                            if (!has) {
                                throw OrganizationErrors.connectionRequired();
                            }
                            return organization;
                        })
                : Future.succeededFuture(organization);
    }

    Future<OrganizationDomain> remove(OrganizationCaller caller, OrganizationId id, UUID domain) {
        return database.inTransaction(transaction -> lock(transaction, caller, id)
                .compose(organization -> store.remove(transaction, organization, domain))
                .map(removed -> removed.orElseThrow(OrganizationErrors::noSuchDomain))
                .compose(removed -> record(transaction, caller.trail(), Logged.ORGANIZATION_DOMAIN_REMOVED, removed)));
    }

    private Future<Organization> lock(SqlConnection transaction, OrganizationCaller caller, OrganizationId id) {
        return organizations
                .lock(transaction, caller, id)
                .map(access -> access.require(OrganizationRoles.MANAGE_DOMAINS).organization());
    }

    /** Looks the record up now; a 409 if it is not there. */
    Future<OrganizationDomain> verify(OrganizationCaller caller, OrganizationId id, UUID domain) {
        return organizations
                .find(caller, id)
                .compose(access -> store.find(
                        database.reads(),
                        access.require(OrganizationRoles.MANAGE_DOMAINS).organization(),
                        domain))
                .map(found -> found.orElseThrow(OrganizationErrors::noSuchDomain))
                .compose(found -> isThere(found)
                        .recover(unanswered -> Future.failedFuture(OrganizationErrors.dnsFailed()))
                        .map(isThere -> {
                            if (!isThere) {
                                throw OrganizationErrors.notProven(found.record());
                            }
                            return found;
                        }))
                .compose(proven -> database.inTransaction(transaction -> lock(transaction, caller, id)
                        .compose(organization -> store.verify(
                                transaction,
                                organization,
                                domain,
                                clock.instant(),
                                clock.instant().plus(CHECK_INTERVAL)))
                        .map(verified -> verified.orElseThrow(OrganizationErrors::noSuchDomain))
                        .compose(verified ->
                                record(transaction, caller.trail(), Logged.ORGANIZATION_DOMAIN_VERIFIED, verified))));
    }

    private Future<Boolean> isThere(OrganizationDomain domain) {
        return records.find(domain.record().name())
                .map(found -> found.contains(domain.record().value()));
    }

    /** Looks at the records that are due; maintenance calls it regularly. */
    Future<Void> check(Database at) {
        return Batches.repeat(() -> store.claim(
                        at.writes(), clock.instant(), clock.instant().plus(CHECK_INTERVAL), BATCH)
                .compose(due -> Future.join(
                                due.stream().map(one -> check(at, one)).toList())
                        .map(due.size() == BATCH)
                        .otherwise(due.size() == BATCH)));
    }

    private Future<Void> check(Database at, Due due) {
        return isThere(due.domain())
                .compose(isThere -> isThere ? store.found(at.writes(), due) : missing(at, due))
                .otherwiseEmpty();
    }

    private Future<Void> missing(Database at, Due due) {
        var now = clock.instant();
        return at.inTransaction(transaction -> store.missing(transaction, due, now, now.minus(PATIENCE))
                .compose(found -> tellOfLoss(transaction, due, found)));
    }

    /** Once when it begins, and once when it is over. */
    private Future<Void> tellOfLoss(SqlConnection transaction, Due due, Optional<OrganizationDomain> found) {
        if (found.isEmpty() || (found.get().verifiedAt() != null && due.domain().failingSince() != null)) {
            return Future.succeededFuture();
        }
        var fact =
                found.get().verifiedAt() == null ? Logged.ORGANIZATION_DOMAIN_LOST : Logged.ORGANIZATION_DOMAIN_FAILING;
        return record(transaction, new Trail(journal, due.project(), Actor.SYSTEM), fact, due.domain())
                .mapEmpty();
    }

    private static Future<OrganizationDomain> record(
            SqlConnection transaction, Trail trail, Logged fact, OrganizationDomain domain) {
        return trail.record(
                        transaction,
                        fact,
                        Target.organization(domain.organizationId().value()),
                        Map.of(
                                "domain",
                                domain.domain(),
                                "policy",
                                domain.policy().text()))
                .map(domain);
    }
}
