package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import dev.vestibule.config.Secret;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgConnectOptions;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No statement reads a big table from end to end, whether one project has nearly all of the users or many have some.
 * Held against the generic plans, which know no parameter's value: those that the server's connections ask for.
 */
@ExtendWith(WithServer.class)
class PlansIT {
    private static final String BIG_TABLES =
            "users|sessions|user_search|identities|oauth_states|webhook_events|webhook_deliveries";
    private static final Pattern BIG_TABLE = Pattern.compile("\\b(?:" + BIG_TABLES + ")\\b");

    /** The table, or an index without a condition, or all sessions that live. */
    private static final Pattern SCAN_OF_ALL = Pattern.compile("Seq Scan on (?:" + BIG_TABLES + ")\\b"
            + "|Index (?:Only )?Scan [^\n]*on (?:" + BIG_TABLES + ")\\b[^\n]*\n(?! *Index Cond)"
            + "|Index Cond: \\(+expires_at > ");

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
            INSERT INTO sessions (project_id, id, user_id, rotated_at, created_at, last_active_at, expires_at)
            SELECT project_id, gen_random_uuid(), id, now(), now(), now(), now() + n * interval '1 day'
            FROM users CROSS JOIN generate_series(0, 2) AS n
            """;

    private static final String WEBHOOKS = """
            INSERT INTO webhooks (project_id, id, url, events, status, sealed_secret, created_at, updated_at)
            SELECT id, id, 'https://example.com', '{*}', 'active', '', now(), now() FROM projects
            """;

    private static final String EVENTS = """
            INSERT INTO webhook_events (project_id, id, type, payload, created_at)
            SELECT project_id, id, 'session.created', '{}', created_at FROM sessions
            """;

    /** A tenth of them waits. */
    private static final String DELIVERIES = """
            INSERT INTO webhook_deliveries (project_id, webhook_id, event_id, status, next_attempt_at, created_at)
            SELECT project_id, project_id, id, CASE WHEN n % 10 = 0 THEN 'waiting' ELSE 'delivered' END,
                   CASE WHEN n % 10 = 0 THEN created_at END, created_at
            FROM (SELECT *, row_number() OVER () AS n FROM webhook_events) AS event
            """;

    private static final String IDENTITIES = """
            INSERT INTO identities (project_id, provider, subject, user_id, created_at)
            SELECT project_id, provider, id, id, now() FROM users CROSS JOIN unnest('{google,github}'::text[]) AS provider
            """;

    private static final String OAUTH_STATES = """
            INSERT INTO oauth_states (project_id, state_hash, provider, redirect_uri, flow, user_id, expires_at)
            SELECT project_id, uuid_send(gen_random_uuid()), 'google', 'https://app.example.com/', 'client',
                   CASE WHEN random() < 0.1 THEN id END, now() + random() * interval '10 minutes'
            FROM users
            """;

    private final String databaseUrl;

    PlansIT(TestDatabase database) {
        this.databaseUrl = database.createDatabase();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 500})
    void noStatementReadsABigTableFromEndToEnd(int projects) throws SQLException {
        fill(projects);
        var statements = statements();
        assertThat(statements).hasSizeGreaterThan(15);
        try (var connection = new Sql(databaseUrl).connect()) {
            assertThat(statements)
                    .allSatisfy((name, sql) -> assertThat(plan(connection, sql))
                            .as("the plan of %s", name)
                            .doesNotContainPattern(SCAN_OF_ALL));
        }
    }

    /** That the test above can fail: with an index gone, the planner takes another that it has to read through. */
    @Test
    void aMissingIndexIsNoticed() throws SQLException {
        fill(2);
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

    /** Its plans are made once, and the first event may come to a new server: nobody waits for statistics. */
    @Test
    void theDelivererGoesByTheRightIndexesThoughItPlannedForEmptyTables() throws SQLException {
        migrate();
        var settings = new dev.vestibule.database.Connection(
                        "", "", new Secret(""), new PgConnectOptions(), new NetClientOptions())
                .toGrowingTables()
                .options()
                .getProperties();
        try (var connection = new Sql(databaseUrl).connect();
                var statement = connection.createStatement()) {
            for (var setting : settings.entrySet()) {
                statement.execute("SELECT set_config('" + setting.getKey() + "', '" + setting.getValue() + "', false)");
            }
            var statements = statements();
            assertThat(plan(connection, String.valueOf(statements.get("ClaimStore.CLAIM"))))
                    .contains("webhook_deliveries_due", "Tid Scan on webhook_deliveries")
                    .doesNotContain("webhook_deliveries_pkey", "Seq Scan on webhook");
            for (var name : List.of("ClaimStore.GIVE_BACK", "AttemptStore.RECORD")) {
                assertThat(plan(connection, String.valueOf(statements.get(name))))
                        .as(name)
                        .containsPattern("webhook_deliveries_pkey[^\n]*\n *Index Cond: .*event_id = ")
                        .doesNotContain("webhook_deliveries_due", "Seq Scan on webhook");
            }
        }
    }

    private void fill(int projects) {
        migrate();
        var sql = new Sql(databaseUrl);
        sql.update(PROJECTS, projects);
        sql.update(USERS);
        sql.update(SESSIONS);
        sql.update(WEBHOOKS);
        sql.update(EVENTS);
        sql.update(DELIVERIES);
        sql.update(IDENTITIES);
        sql.update(OAUTH_STATES);
        sql.update("VACUUM ANALYZE");
    }

    private void migrate() {
        var url = URI.create(databaseUrl);
        var userAndPassword = url.getUserInfo().split(":", 2);
        Migrations.run(
                "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath(),
                userAndPassword[0],
                userAndPassword[1]);
    }

    /** Those of every store that name a big table and have a plan. */
    private static Map<String, String> statements() {
        var statements = new TreeMap<String, String>();
        new ClassFileImporter()
                .withImportOption(new DoNotIncludeTests()).importPackages("dev.vestibule").stream()
                        .filter(type -> type.getSimpleName().endsWith("Store"))
                        .forEach(type -> addStatements(type.reflect(), statements));
        return statements;
    }

    private static void addStatements(Class<?> store, Map<String, String> statements) {
        for (var field : store.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
                field.setAccessible(true);
                try {
                    var sql = String.valueOf(field.get(null));
                    if (BIG_TABLE.matcher(sql).find() && !sql.startsWith("ANALYZE")) {
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
            statement.execute("SET plan_cache_mode = force_generic_plan");
            statement.execute("SET max_parallel_workers_per_gather = 0");
            statement.execute("PREPARE it AS " + sql);
            var parameters = statement.executeQuery(
                    "SELECT cardinality(parameter_types) FROM pg_prepared_statements" + " WHERE name = 'it'");
            parameters.next();
            var nulls = String.join(", ", Collections.nCopies(parameters.getInt(1), "NULL"));
            var lines = statement.executeQuery("EXPLAIN EXECUTE it" + (nulls.isEmpty() ? "" : "(" + nulls + ")"));
            var plan = new StringBuilder();
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
            statement.execute("DEALLOCATE it");
            return plan.toString();
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }
}
