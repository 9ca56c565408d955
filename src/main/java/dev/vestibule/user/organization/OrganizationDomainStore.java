package dev.vestibule.user.organization;

import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.OrganizationDomain.TextRecord;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The domains of organizations. */
public final class OrganizationDomainStore {
    private static final String COLUMNS = """
            organization_domains.id, organization_domains.organization_id, organization_domains.domain,
            organization_domains.proof, organization_domains.policy, organization_domains.verified_at,
            organization_domains.failing_since, organization_domains.created_at""";

    private static final String INSERT = """
            INSERT INTO organization_domains (project_id, id, organization_id, domain, proof, policy, policy_since, created_at)
            SELECT $1, $2, $3, $4, $5, $6, $7::timestamptz, $7
            WHERE (SELECT count(*) FROM organization_domains WHERE project_id = $1 AND organization_id = $3) < $8
            RETURNING %s
            """.formatted(COLUMNS);

    /** Empty if the organization has the maximum; a 409 if it has this domain already. */
    Future<Optional<OrganizationDomain>> insert(
            SqlClient transaction, Organization organization, OrganizationDomain domain, String proof, int maximum) {
        return Sql.run(
                        transaction,
                        INSERT,
                        organization.projectId(),
                        domain.id(),
                        organization.id(),
                        domain.domain(),
                        proof,
                        domain.policy().text(),
                        domain.createdAt(),
                        maximum)
                .recover(failure -> Future.failedFuture(
                        SqlFailures.isDuplicate(failure) ? OrganizationErrors.hasDomain() : failure))
                .map(rows -> Rows.first(rows, OrganizationDomainStore::domain));
    }

    private static final String LIST = """
            SELECT %s FROM organization_domains WHERE project_id = $1 AND organization_id = $2
            ORDER BY created_at, id
            """.formatted(COLUMNS);

    /** Oldest first. */
    Future<List<OrganizationDomain>> list(SqlClient db, Organization organization) {
        return Sql.run(db, LIST, organization.projectId(), organization.id())
                .map(rows -> Rows.all(rows, OrganizationDomainStore::domain));
    }

    private static final String FIND = """
            SELECT %s FROM organization_domains WHERE project_id = $1 AND organization_id = $2 AND id = $3
            """.formatted(COLUMNS);

    Future<Optional<OrganizationDomain>> find(SqlClient db, Organization organization, UUID id) {
        return Sql.run(db, FIND, organization.projectId(), organization.id(), id)
                .map(rows -> Rows.first(rows, OrganizationDomainStore::domain));
    }

    private static final String SET_POLICY = """
            UPDATE organization_domains
            SET policy = $4, policy_since = CASE WHEN policy = $4 THEN policy_since ELSE $5 END
            WHERE project_id = $1 AND organization_id = $2 AND id = $3
            RETURNING %s
            """.formatted(COLUMNS);

    Future<Optional<OrganizationDomain>> setPolicy(
            SqlClient transaction, Organization organization, UUID id, DomainPolicy policy, Instant now) {
        return Sql.run(transaction, SET_POLICY, organization.projectId(), organization.id(), id, policy.text(), now)
                .map(rows -> Rows.first(rows, OrganizationDomainStore::domain));
    }

    private static final String VERIFY = """
            UPDATE organization_domains
            SET verified_at = coalesce(verified_at, $4), failing_since = NULL, next_check_at = $5
            WHERE project_id = $1 AND organization_id = $2 AND id = $3
            RETURNING %s
            """.formatted(COLUMNS);

    /** The record was found; a 409 if another organization of the project has proven the domain. */
    Future<Optional<OrganizationDomain>> verify(
            SqlClient transaction, Organization organization, UUID id, Instant now, Instant nextCheck) {
        return Sql.run(transaction, VERIFY, organization.projectId(), organization.id(), id, now, nextCheck)
                .recover(failure -> Future.failedFuture(
                        SqlFailures.isDuplicate(failure) ? OrganizationErrors.domainTaken() : failure))
                .map(rows -> Rows.first(rows, OrganizationDomainStore::domain));
    }

    private static final String REMOVE = """
            DELETE FROM organization_domains WHERE project_id = $1 AND organization_id = $2 AND id = $3
            RETURNING %s
            """.formatted(COLUMNS);

    Future<Optional<OrganizationDomain>> remove(SqlClient transaction, Organization organization, UUID id) {
        return Sql.run(transaction, REMOVE, organization.projectId(), organization.id(), id)
                .map(rows -> Rows.first(rows, OrganizationDomainStore::domain));
    }

    private static final String CLAIM = """
            UPDATE organization_domains SET next_check_at = $2
            WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM organization_domains
                WHERE next_check_at <= $1 AND verified_at IS NOT NULL
                ORDER BY next_check_at
                LIMIT $3
                FOR UPDATE SKIP LOCKED))
            RETURNING organization_domains.project_id, %s
            """.formatted(COLUMNS);

    /** A domain of any project whose record is due for a look. */
    record Due(ProjectId project, OrganizationDomain domain) {}

    /** Up to {@code limit} verified domains of all projects that are due; they are due again at the next time. */
    Future<List<Due>> claim(SqlClient db, Instant now, Instant nextCheck, int limit) {
        return Sql.run(db, CLAIM, now, nextCheck, limit)
                .map(rows -> Rows.all(rows, row -> new Due(new ProjectId(row.getUUID("project_id")), domain(row))));
    }

    private static final String FOUND = """
            UPDATE organization_domains SET failing_since = NULL
            WHERE project_id = $1 AND id = $2 AND failing_since IS NOT NULL
            """;

    Future<Void> found(SqlClient db, Due due) {
        return Sql.run(db, FOUND, due.project(), due.domain().id()).mapEmpty();
    }

    private static final String MISSING = """
            UPDATE organization_domains
            SET verified_at = CASE WHEN failing_since <= $4 THEN NULL ELSE verified_at END,
                failing_since = CASE WHEN failing_since <= $4 THEN NULL ELSE coalesce(failing_since, $3) END
            WHERE project_id = $1 AND id = $2 AND verified_at IS NOT NULL
            RETURNING %s
            """.formatted(COLUMNS);

    /** Begins or ends the time until the domain no longer counts; empty if it does not count any more. */
    Future<Optional<OrganizationDomain>> missing(SqlClient transaction, Due due, Instant now, Instant longAgo) {
        return Sql.run(transaction, MISSING, due.project(), due.domain().id(), now, longAgo)
                .map(rows -> Rows.first(rows, OrganizationDomainStore::domain));
    }

    private static final String ORGANIZATION_OF = """
            SELECT organization_id FROM organization_domains
            WHERE project_id = $1 AND domain = $2 AND verified_at IS NOT NULL AND policy = ANY ($3::text[])
              AND NOT EXISTS (
                  SELECT FROM organization_members
                  WHERE organization_members.project_id = $1
                    AND organization_members.organization_id = organization_domains.organization_id
                    AND organization_members.user_id = $4)
              AND NOT EXISTS (
                  SELECT FROM organization_removals
                  WHERE organization_removals.project_id = $1
                    AND organization_removals.organization_id = organization_domains.organization_id
                    AND organization_removals.user_id = $4)
            """;

    /**
     * The organization that has proven the domain, with one of the policies, if the user is not a member of it, and
     * nobody has removed them from it.
     */
    Future<Optional<OrganizationId>> organizationOf(
            SqlClient db, ProjectId project, String domain, List<DomainPolicy> policies, UserId user) {
        return Sql.run(
                        db,
                        ORGANIZATION_OF,
                        project,
                        domain,
                        policies.stream().map(DomainPolicy::text).toArray(String[]::new),
                        user)
                .map(rows -> Rows.first(rows, row -> new OrganizationId(row.getUUID("organization_id"))));
    }

    private static final String IS_PROVEN = """
            SELECT FROM organization_domains
            WHERE project_id = $1 AND organization_id = $2 AND domain = $3 AND verified_at IS NOT NULL
            """;

    /** Whether the organization has proven the domain. */
    public Future<Boolean> isProven(SqlClient db, ProjectId project, OrganizationId organization, String domain) {
        return Sql.run(db, IS_PROVEN, project, organization, domain).map(rows -> rows.size() == 1);
    }

    private static final String REQUIRES_CONNECTION = """
            SELECT EXISTS (
                SELECT FROM organization_domains
                WHERE project_id = $1 AND organization_id = $2 AND policy = 'sso_required') AS requires_connection
            """;

    /** Whether people of a domain of the organization can sign in only through its connection. */
    Future<Boolean> requiresConnection(SqlClient db, Organization organization) {
        return Sql.run(db, REQUIRES_CONNECTION, organization.projectId(), organization.id())
                .map(rows -> Rows.single(rows, row -> row.getBoolean("requires_connection")));
    }

    private static OrganizationDomain domain(Row row) {
        var domain = row.getString("domain");
        var verifiedAt = Rows.optionalInstant(row, "verified_at");
        var failingSince = Rows.optionalInstant(row, "failing_since");
        return new OrganizationDomain(
                Objects.requireNonNull(row.getUUID("id")),
                new OrganizationId(row.getUUID("organization_id")),
                domain,
                DomainPolicy.of(row.getString("policy")),
                OrganizationDomain.status(verifiedAt, failingSince),
                TextRecord.of(domain, row.getString("proof")),
                verifiedAt,
                failingSince,
                Rows.instant(row, "created_at"));
    }
}
