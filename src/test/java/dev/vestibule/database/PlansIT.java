package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.WithServer;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * No statement reads a big table from end to end, whether one project has nearly all users or many projects have some.
 * Checks generic plans, which do not depend on parameters, because the server's connections use those.
 */
@ExtendWith(WithServer.class)
@TakesLong("It fills tables until the planner has a choice.")
class PlansIT {
    private static final String BIG_TABLES =
            "users|sessions|user_search|identities|oauth_states|webhook_events|webhook_deliveries"
                    + "|organizations|organization_members|organization_invitations|organization_domains|directories"
                    + "|directory_tokens|directory_users|directory_groups|directory_group_members|user_keys"
                    + "|oauth_clients|oauth_requests|oauth_device_requests|oauth_grants|oauth_consents";
    private static final Pattern BIG_TABLE = Pattern.compile("\\b(?:" + BIG_TABLES + ")\\b");

    /** The types of constants with a statement as their text. */
    private static final Set<Class<?>> STATEMENTS = Set.of(String.class, OldRows.class, SealedTable.class);

    /** Statements that have a plan; some constants of stores are only parts of statements. */
    private static final Pattern STATEMENT = Pattern.compile("WITH|SELECT|INSERT|UPDATE|DELETE");

    /**
     * A scan of the table, of an index without a condition or without one on its first column, or of all live sessions.
     */
    private static final Pattern SCAN_OF_ALL = Pattern.compile("Seq Scan on (?:" + BIG_TABLES + ")\\b"
            + "|Index (?:Only )?Scan [^\n]*on (?:" + BIG_TABLES + ")\\b[^\n]*\n(?! *Index Cond)"
            + "|Index Cond: \\(+sweep_at > "
            + "|on sessions_to_sweep\\b[^\n]*\n *Index Cond: \\(+project_id = ");

    /** A page that is found before its rows are read. */
    private static final Pattern PAGE = Pattern.compile("LIMIT \\$\\d+ OFFSET \\$\\d+\\) AS");

    private static final String PROJECTS = """
            INSERT INTO projects (id, name, slug, environment, created_at, updated_at)
            SELECT overlay(gen_random_uuid()::text PLACING '7' FROM 15 FOR 1)::uuid, 'P', 'p' || n, 'live', now(), now()
            FROM generate_series(1, ?) AS n
            """;

    private static final String USERS = """
            INSERT INTO users (project_id, id, email, display_name, created_at, updated_at)
            SELECT id, gen_random_uuid(), 'user' || n || '@example.com', 'User ' || n, now(), now()
            FROM projects CROSS JOIN LATERAL generate_series(1, CASE slug WHEN 'p1' THEN 4000 ELSE 3 END) AS n
            """;

    private static final String SESSIONS = """
            INSERT INTO sessions (project_id, id, user_id, rotated_at, created_at, last_active_at,
                                  authenticated_at, amr, variant, expires_at, sweep_at)
            SELECT project_id, gen_random_uuid(), id, now(), now(), now(), now(), '{}', 'A',
                   now() + n * interval '1 day', now() + n * interval '1 day'
            FROM users CROSS JOIN generate_series(0, 2) AS n
            """;

    private static final String WEBHOOKS = """
            INSERT INTO webhooks (project_id, id, url, events, status, sealed_secret, created_at, updated_at)
            SELECT id, id, 'https://example.com', '{*}', 'active', '', now(), now() FROM projects
            """;

    private static final String MORE_WEBHOOKS = """
            INSERT INTO webhooks (project_id, id, url, events, status, sealed_secret, created_at, updated_at)
            SELECT id, gen_random_uuid(), 'https://example.com', '{*}', 'active', '', now(), now()
            FROM projects CROSS JOIN generate_series(1, 20)
            """;

    private static final String EVENTS = """
            INSERT INTO webhook_events (project_id, id, type, payload, created_at)
            SELECT project_id, id, 'session.created', '{}', created_at FROM sessions
            """;

    /** A tenth of them are waiting. */
    private static final String DELIVERIES = """
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, status, next_attempt_at, created_at)
            SELECT project_id, project_id, id, CASE WHEN n % 10 = 0 THEN 'waiting' ELSE 'delivered' END,
                   CASE WHEN n % 10 = 0 THEN created_at END, created_at
            FROM (SELECT *, row_number() OVER () AS n FROM webhook_events) AS event
            """;

    private static final String IDENTITIES = """
            INSERT INTO identities (project_id, provider, issuer, subject, user_id, created_at)
            SELECT project_id, provider, provider, id, id, now() FROM users CROSS JOIN unnest('{google,github}'::text[]) AS provider
            """;

    private static final String OAUTH_STATES = """
            INSERT INTO oauth_states (project_id, state_hash, provider, redirect_uri, flow, user_id, expires_at, begun_at)
            SELECT project_id, uuid_send(gen_random_uuid()), 'google', 'https://app.example.com/', 'client',
                   CASE WHEN random() < 0.1 THEN id END, now() + random() * interval '10 minutes', now()
            FROM users
            """;

    /**
     * Each user has an organization with the same id, and one of everything in it; but all users of a project are in
     * the directory of one of them, which makes the planner think that any directory has most of all users.
     */
    private static final List<String> ORGANIZATIONS = List.of("""
            INSERT INTO organizations (project_id, id, name, slug, max_members, member_count, created_by, search_text,
                                       created_at, updated_at)
            SELECT project_id, id, display_name, id::text, 5, 1, id, search_text(id::text, display_name), now(), now() FROM users
            """, """
            INSERT INTO organization_members (project_id, organization_id, user_id, role, created_at)
            SELECT project_id, id, id, 'owner', now() FROM users
            """, """
            INSERT INTO organization_invitations (project_id, id, organization_id, email, role, status, invited_by, mail_id,
                                                  token_hash, created_at, expires_at)
            SELECT project_id, id, id, email, 'member', 'pending', id, id, uuid_send(id), now(), now() + random() * interval '7 days'
            FROM users
            """, """
            INSERT INTO organization_domains (project_id, id, organization_id, domain, proof, policy, verified_at,
                                              next_check_at, created_at)
            SELECT project_id, id, id, id::text, '', CASE WHEN random() < 0.1 THEN 'sso_required' ELSE 'none' END, now(),
                   now() + random() * interval '1 day', now()
            FROM users
            """, """
            INSERT INTO directories (project_id, id, organization_id, name, enabled, group_roles, created_at, updated_at)
            SELECT project_id, id, id, 'D', true, '{}', now(), now() FROM users
            """, """
            INSERT INTO directory_tokens (project_id, id, directory_id, token_hash, ending, created_at)
            SELECT project_id, id, id, uuid_send(id), '', now() FROM users
            """, """
            INSERT INTO directory_users (project_id, directory_id, user_id, user_name, user_name_key, external_id, texts, emails,
                                         attributes, email, is_made, created_at, updated_at)
            SELECT project_id, first_value(id) OVER (PARTITION BY project_id ORDER BY id), id, email, id::text, id::text, '{}',
                   ARRAY[email], '{}', email, true, now(), now()
            FROM users
            """, """
            INSERT INTO directory_groups (project_id, directory_id, id, name, name_key, created_at, updated_at)
            SELECT project_id, id, id, 'G', 'g', now(), now() FROM users
            """, """
            INSERT INTO directory_group_members (project_id, directory_id, group_id, user_id)
            SELECT project_id, id, id, id FROM users
            """, """
            INSERT INTO user_keys (project_id, id, user_id, key_hash, ending, name, scopes, created_at)
            SELECT project_id, id, id, uuid_send(id), '', 'K', '{}', now() FROM users
            """);

    /** Most clients have documents. A project's users all use one of its clients; what waits belongs to it too. */
    private static final List<String> OAUTH = List.of("""
            INSERT INTO oauth_resources (project_id, id, uri, name, scopes, is_default, created_at, updated_at)
            SELECT id, id, 'https://api.example.com/', 'A', '{"scopes": []}', true, now(), now() FROM projects
            """, """
            INSERT INTO oauth_clients (project_id, id, kind, name, redirect_uris, is_first_party, authentication, requires_pkce,
                                       id_token_algorithm, claims_in_id_token, api_scopes, ends_as, used_at,
                                       registration_token_hash, fresh_until, created_at, updated_at)
            SELECT project_id, id::text, CASE WHEN n % 20 > 1 THEN 'document' ELSE 'web' END, 'C', '{}', false, 'any', true,
                   'RS256', true, '{}', id, CASE WHEN n % 20 = 1 THEN now() END, CASE WHEN n % 20 = 1 THEN ''::bytea END,
                   CASE WHEN n % 20 > 1 THEN now() END, now(), now()
            FROM (SELECT *, row_number() OVER () AS n FROM users) AS owner
            """, """
            INSERT INTO oauth_client_secrets (project_id, client_id, id, secret_hash, ending, created_at)
            SELECT project_id, id, gen_random_uuid(), '', '', now() FROM oauth_clients WHERE kind = 'web'
            """, """
            INSERT INTO oauth_requests (project_id, request_hash, client_id, parameters, created_at, expires_at)
            SELECT project_id, uuid_send(id), (first_value(id) OVER (PARTITION BY project_id ORDER BY id))::text, '{}', now(),
                   now() + random() * interval '10 minutes'
            FROM users
            """, """
            INSERT INTO oauth_device_requests (project_id, device_hash, user_code_hash, client_id, scopes, resources,
                                               network_hash, interval_seconds, created_at, expires_at)
            SELECT project_id, uuid_send(id), uuid_send(id),
                   (first_value(id) OVER (PARTITION BY project_id ORDER BY id))::text, '{}', '{}', '', 5, now(),
                   now() + random() * interval '10 minutes'
            FROM users
            """, """
            INSERT INTO oauth_grants (project_id, id, client_id, user_id, session_id, is_offline, scopes, resources, claims,
                                      amr, code_hash, rotated_at, created_at, expires_at, sweep_at, depends_on)
            SELECT project_id, id, (first_value(user_id) OVER (PARTITION BY project_id ORDER BY user_id))::text, user_id,
                   CASE WHEN random() < 0.9 THEN id END, true, '{}', '{https://api.example.com/}', '{}', '{}',
                   uuid_send(id), now(), now(), expires_at, sweep_at, ARRAY[user_id, project_id]
            FROM sessions
            """, """
            INSERT INTO oauth_consents (project_id, user_id, client_id, resource, scopes, given_at, depends_on)
            SELECT project_id, id, (first_value(id) OVER (PARTITION BY project_id ORDER BY id))::text, '', '{}', now(),
                   ARRAY[id]
            FROM users
            """);

    private static final String STATISTICS = """
            INSERT INTO project_statistics
            SELECT id, now() - n * interval '1 hour', n, n, n, n, n, '' FROM projects CROSS JOIN generate_series(1, 100) AS n
            """;

    private static final List<Class<?>> STORES = new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests()).importPackages("dev.vestibule").stream()
                    .filter(type -> type.getSimpleName().endsWith("Store"))
                    .<Class<?>>map(JavaClass::reflect)
                    .toList();

    private final String databaseUrl;

    PlansIT(TestDatabase database) {
        this.databaseUrl = database.createDatabase();
    }

    /**
     * First as planned after the tables have grown and before autovacuum has analyzed them, and then with statistics.
     */
    @Test
    void noStatementReadsABigTableFromEndToEndWhereOneProjectHasNearlyAll() throws SQLException {
        growUnnoticed(2);
        noStatementReadsABigTable();
        analyze();
        noStatementReadsABigTable();
        aMissingIndexIsNoticed();
    }

    @Test
    void noStatementReadsABigTableFromEndToEndWhereManyProjectsHaveSome() throws SQLException {
        growUnnoticed(500);
        noStatementReadsABigTable();
        analyze();
        noStatementReadsABigTable();
        noStatementReadsTheStatisticsOfAllProjects();
    }

    private void noStatementReadsABigTable() throws SQLException {
        var statements = statements();
        assertThat(statements).hasSizeGreaterThan(15);
        try (var connection = new Sql(databaseUrl).connect()) {
            assertThat(statements)
                    .allSatisfy((name, sql) -> assertThat(plan(connection, sql))
                            .as("the plan of %s", name)
                            .doesNotContainPattern(SCAN_OF_ALL));
        }
    }

    /** Proves that the test can fail: without its index, a statement reads through another one. */
    private void aMissingIndexIsNoticed() throws SQLException {
        new Sql(databaseUrl).update("DROP INDEX sessions_of_user, user_search_grams");
        try (var connection = new Sql(databaseUrl).connect()) {
            assertThat(statements())
                    .hasEntrySatisfying(
                            "SessionListStore.OF_USER",
                            sql -> assertThat(plan(connection, sql)).containsPattern(SCAN_OF_ALL))
                    .hasEntrySatisfying(
                            "UserListStore.FIND",
                            sql -> assertThat(plan(connection, sql)).containsPattern(SCAN_OF_ALL));
        }
    }

    /** With few projects the table is so small that reading all of it is right. */
    private void noStatementReadsTheStatisticsOfAllProjects() throws SQLException {
        new Sql(databaseUrl).update(STATISTICS);
        new Sql(databaseUrl).update("VACUUM ANALYZE project_statistics");
        var statements = statements(Pattern.compile("\\bproject_statistics\\b"));
        assertThat(statements)
                .containsKeys(
                        "StatisticsStore.OF_PROJECT", "StatisticsStore.OLD", "DeletedProjectStore.REMOVE_PROJECT");
        try (var connection = new Sql(databaseUrl).connect()) {
            assertThat(statements)
                    .allSatisfy((name, sql) -> assertThat(plan(connection, sql))
                            .as("the plan of %s", name)
                            .doesNotContain("Seq Scan on project_statistics"));
        }
    }

    /** So that maintenance never reads a whole table, however large it is. */
    @Test
    void oldRowsAreFoundByAnIndex() throws SQLException {
        migrate();
        var sweeps = new TreeMap<String, String>();
        STORES.forEach(store -> addStatements(store, Pattern.compile("^DELETE FROM (\\w+) WHERE ctid"), sweeps));
        assertThat(sweeps).hasSizeGreaterThan(25);
        try (var connection = new Sql(databaseUrl).connect();
                var statement = connection.createStatement()) {
            statement.execute("SET enable_seqscan = off; SET enable_sort = off");
            assertThat(sweeps)
                    .allSatisfy((name, sql) -> assertThat(plan(connection, sql))
                            .as("the plan of %s", name)
                            .doesNotContain("Sort"));
        }
    }

    /**
     * Also where the planner would rather join: it does not know how few rows a page has, and read a whole directory
     * that had most of all users. A look-up that cannot be a join stays one, however much a loop seems to cost.
     */
    @Test
    void theRowsOfAPageAreReadOneByOne() throws SQLException {
        migrate();
        var pages = new TreeMap<String, String>();
        STORES.forEach(store -> addStatements(store, PAGE, pages));
        pages.keySet().removeIf(name -> !name.startsWith("Organization") && !name.startsWith("Scim"));
        assertThat(pages)
                .containsKeys(
                        "OrganizationListStore.PAGE",
                        "OrganizationMemberStore.LIST",
                        "OrganizationStore.LIST_OF",
                        "ScimUserStore.LIST",
                        "ScimUserStore.LIST_ALL",
                        "ScimUserStore.LIST_BY_KEYS");
        try (var connection = new Sql(databaseUrl).connect();
                var statement = connection.createStatement()) {
            statement.execute("SET enable_nestloop = off");
            assertThat(pages)
                    .allSatisfy((name, sql) -> assertThat(plan(connection, sql))
                            .as("the plan of %s", name)
                            .doesNotContain("Hash Join", "Merge Join"));
        }
    }

    /** The first burst of events may come to a new server, soon after its first plans were made. */
    @Test
    void theDelivererUsesTheRightIndexesAfterPlanningForEmptyTables() throws SQLException {
        migrate();
        analyze();
        var deliverer = List.of("ClaimStore.CLAIM", "ClaimStore.GIVE_BACK", "ResultStore.RECORD");
        try (var connection = new Sql(databaseUrl).connect();
                var statement = connection.createStatement()) {
            var statements = statements();
            for (var name : deliverer) {
                prepare(statement, name, String.valueOf(statements.get(name)));
            }
            for (var name : deliverer) {
                assertThat(explain(statement, name)).contains("Seq Scan on webhook_deliveries");
            }
            grow(500);
            new Sql(databaseUrl).update(MORE_WEBHOOKS);
            // As Database.withRecentPlans does; until then PostgreSQL keeps the plans, unless another database of this
            // server changes a lot.
            statement.execute("DISCARD PLANS");
            assertThat(explain(statement, "ClaimStore.CLAIM"))
                    .contains("webhook_deliveries_due", "Tid Scan on webhook_deliveries")
                    .doesNotContain("webhook_deliveries_pkey", "Seq Scan on webhook");
            for (var name : List.of("ClaimStore.GIVE_BACK", "ResultStore.RECORD")) {
                assertThat(explain(statement, name))
                        .as(name)
                        .containsPattern("webhook_deliveries_pkey[^\n]*\n *Index Cond: .*event_id = ")
                        .doesNotContain("webhook_deliveries_due", "Seq Scan on webhook");
            }
        }
    }

    /** The planner still believes that the tables are empty. */
    private void growUnnoticed(int projects) {
        migrate();
        analyze();
        grow(projects);
    }

    private void analyze() {
        new Sql(databaseUrl).update("VACUUM ANALYZE");
    }

    private void grow(int projects) {
        var sql = new Sql(databaseUrl);
        sql.update(PROJECTS, projects);
        sql.update(USERS);
        sql.update(SESSIONS);
        sql.update(WEBHOOKS);
        sql.update(EVENTS);
        sql.update(DELIVERIES);
        sql.update(IDENTITIES);
        sql.update(OAUTH_STATES);
        ORGANIZATIONS.forEach(sql::update);
        OAUTH.forEach(sql::update);
    }

    private void migrate() {
        var url = URI.create(databaseUrl);
        var userAndPassword = url.getUserInfo().split(":", 2);
        Migrations.run(
                "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath(),
                userAndPassword[0],
                userAndPassword[1]);
        disableAutovacuum();
    }

    /** Autovacuum would analyze the tables at any time, and make PostgreSQL plan every statement again. */
    private void disableAutovacuum() {
        new Sql(databaseUrl).update("""
                DO $$
                DECLARE name regclass;
                BEGIN
                    FOR name IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
                        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', name);
                    END LOOP;
                END $$
                """);
    }

    /** The statements of all stores that name a big table and have a plan. */
    private static Map<String, String> statements() {
        return statements(BIG_TABLE);
    }

    private static Map<String, String> statements(Pattern table) {
        var statements = new TreeMap<String, String>();
        STORES.forEach(store -> addStatements(store, table, statements));
        return statements;
    }

    private static void addStatements(Class<?> store, Pattern table, Map<String, String> statements) {
        for (var field : store.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && STATEMENTS.contains(field.getType())) {
                field.setAccessible(true);
                try {
                    var sql = String.valueOf(field.get(null));
                    if (STATEMENT.matcher(sql).lookingAt() && table.matcher(sql).find()) {
                        statements.put(store.getSimpleName() + "." + field.getName(), sql);
                    }
                } catch (IllegalAccessException failure) {
                    throw new LinkageError(field.getName(), failure);
                }
            }
        }
    }

    private static String plan(Connection connection, String sql) {
        try (var statement = connection.createStatement()) {
            prepare(statement, "it", sql);
            var plan = explain(statement, "it");
            statement.execute("DEALLOCATE it");
            return plan;
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    private static void prepare(Statement statement, String name, String sql) throws SQLException {
        statement.execute("SET plan_cache_mode = force_generic_plan");
        statement.execute("PREPARE \"" + name + "\" AS " + sql);
    }

    private static String explain(Statement statement, String name) throws SQLException {
        var parameters = statement.executeQuery(
                "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = '" + name + "'");
        parameters.next();
        var nulls = String.join(", ", Collections.nCopies(parameters.getInt(1), "NULL"));
        var lines =
                statement.executeQuery("EXPLAIN EXECUTE \"" + name + "\"" + (nulls.isEmpty() ? "" : "(" + nulls + ")"));
        var plan = new StringBuilder();
        while (lines.next()) {
            plan.append(lines.getString(1)).append('\n');
        }
        return plan.toString();
    }
}
