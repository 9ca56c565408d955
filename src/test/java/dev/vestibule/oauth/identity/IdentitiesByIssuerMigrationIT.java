package dev.vestibule.oauth.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** Identities from before issuers were kept, in a database of the release before. */
class IdentitiesByIssuerMigrationIT {
    private static final String PROJECT = "01990000-0000-7000-8000-000000000001";
    private static final String OTHER = "01990000-0000-7000-8000-000000000002";
    private static final String USER = "01990000-0000-7000-8000-00000000000a";

    /** More than one batch. */
    private static final int MANY = 2500;

    @Test
    void whatIsThereBelongsToTheIssuerOfItsProvider() {
        try (var database = TestDatabase.start()) {
            var url = database.createDatabase();
            var sql = new Sql(url);
            sql.update("DROP SCHEMA public CASCADE");
            sql.update("CREATE SCHEMA public");
            migrateToTheReleaseBefore(url);
            insert(sql);

            try (var server = TestServer.startOn(url, Map.of(), Clock.systemUTC())) {
                assertThat(sql.texts("SELECT concat_ws(' ', provider, issuer, subject) FROM identities"
                                + " ORDER BY project_id, provider"))
                        .containsExactly(
                                "github github s",
                                "google https://accounts.google.com s",
                                "microsoft https://login.microsoftonline.com/{tid}/v2.0 s",
                                "oidc https://login.example.com s",
                                "removed  s",
                                "oidc oidc s");
                var ofTheReleaseBefore = "INSERT INTO identities (project_id, provider, subject, user_id, created_at)"
                        + " VALUES (?::uuid, 'x', 's2', ?::uuid, now())";
                server.sql().update(ofTheReleaseBefore, PROJECT, USER);
            }
            try (var server = TestServer.startOn(url, Map.of(), Clock.systemUTC())) {
                assertThat(server.sql().texts("SELECT issuer FROM identities WHERE subject = 's2'"))
                        .as("written by a node of the release before, while nodes were replaced")
                        .containsExactly("x");
            }
        }
    }

    /** Each would serve sign ins of identities that it cannot find, if it did not wait for the other. */
    @Test
    void twoNodesThatStartAtOnceBothListenOnlyWhenAllAreFilledIn() {
        try (var database = TestDatabase.start()) {
            var url = database.createDatabase();
            var sql = new Sql(url);
            sql.update("DROP SCHEMA public CASCADE");
            sql.update("CREATE SCHEMA public");
            migrateToTheReleaseBefore(url);
            insert(sql);
            insertMany(sql);

            var starts = IntStream.range(0, 2)
                    .mapToObj(n -> CompletableFuture.supplyAsync(() -> {
                        var node = TestServer.startOn(url, Map.of(), Clock.systemUTC());
                        assertThat(sql.count(
                                        "SELECT count(*) FROM identities WHERE issuer = '' AND provider = 'google'"))
                                .isZero();
                        return node;
                    }))
                    .toList();
            starts.forEach(start -> start.join().close());
            assertThat(sql.count("SELECT count(*) FROM identities WHERE issuer = 'https://accounts.google.com'"))
                    .isEqualTo(MANY + 1);
        }
    }

    private static void insertMany(Sql sql) {
        sql.update(
                "INSERT INTO users (project_id, id, created_at, updated_at)"
                        + " SELECT ?::uuid, gen_random_uuid(), now(), now() FROM generate_series(1, ?)",
                OTHER,
                MANY);
        sql.update(
                "INSERT INTO identities (project_id, provider, subject, user_id, created_at)"
                        + " SELECT project_id, 'google', id, id, now() FROM users WHERE project_id = ?::uuid AND id <> ?::uuid",
                OTHER,
                USER);
    }

    private static void insert(Sql sql) {
        for (var project : new String[] {PROJECT, OTHER}) {
            sql.update(
                    "INSERT INTO projects (id, name, slug, environment, created_at, updated_at)"
                            + " VALUES (?::uuid, 'P', ?, 'live', now(), now())",
                    project,
                    "p" + project);
            sql.update(
                    "INSERT INTO users (project_id, id, created_at, updated_at) VALUES (?::uuid, ?::uuid, now(), now())",
                    project,
                    USER);
            sql.update(
                    "INSERT INTO identities (project_id, provider, subject, user_id, created_at)"
                            + " VALUES (?::uuid, 'oidc', 's', ?::uuid, now())",
                    project,
                    USER);
        }
        sql.update(
                "INSERT INTO identity_providers (project_id, provider, client_id, sealed_client_secret, enabled,"
                        + " oauth_flow, issuer, created_at, updated_at)"
                        + " VALUES (?::uuid, 'oidc', 'c', '', true, 'auto', 'https://login.example.com', now(), now())",
                PROJECT);
        for (var provider : new String[] {"google", "github", "microsoft", "removed"}) {
            sql.update(
                    "INSERT INTO identities (project_id, provider, subject, user_id, created_at)"
                            + " VALUES (?::uuid, ?, 's', ?::uuid, now())",
                    PROJECT,
                    provider,
                    USER);
        }
    }

    private static void migrateToTheReleaseBefore(String databaseUrl) {
        var url = URI.create(databaseUrl);
        var userAndPassword = url.getUserInfo().split(":", 2);
        Flyway.configure(IdentitiesByIssuerMigrationIT.class.getClassLoader())
                .dataSource(
                        "jdbc:postgresql://" + url.getHost() + ":" + url.getPort() + url.getPath(),
                        userAndPassword[0],
                        userAndPassword[1])
                .locations("classpath:db/migration")
                .table("schema_history")
                .target("2")
                .load()
                .migrate();
    }
}
