package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.RefusingEngine;
import dev.vestibule.fixture.ReplicatedPostgres;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** On an engine whose functions of the write-ahead log refuse, as Amazon Aurora's do by default. */
@ExtendWith(WithServer.class)
@TakesLong("It starts four servers, and a primary with a standby.")
class RefusingEngineIT {
    private static final String PRIMARY = "&target_session_attrs=primary";

    private static Sql refusing(TestDatabase databases) {
        var sql = new Sql(databases.createDatabase());
        RefusingEngine.simulateIn(sql);
        return sql;
    }

    private static TestServer start(String url) {
        return TestServer.startOn(url, TestServer.USUAL_DATABASE_WAITS, Clock.tickMillis(ZoneOffset.UTC));
    }

    private static void setBrandName(TestProject project, String name) {
        project.asOwner("PATCH", "/branding").json(Map.of("brandName", name)).expect(200);
    }

    private static boolean hasBrandName(TestProject project, String name) {
        var branding = project.get("/v1/auth/branding").send();
        return branding.status() == 200 && branding.text("brandName").equals(name);
    }

    @Test
    void theFunctionsRefuse(TestDatabase databases) {
        var sql = refusing(databases);
        assertThatThrownBy(() -> sql.texts("SELECT pg_current_wal_lsn()"))
                .hasMessageContaining("wal_level must be set to 'logical'");
        assertThatThrownBy(() ->
                        sql.texts("SELECT system_identifier FROM pg_control_system() AS (system_identifier text)"))
                .hasMessageContaining("ERROR");
    }

    @Test
    void aServerThatAsksForThePrimaryStartsAndUsesItsCaches(TestDatabase databases) {
        try (var proxy = DatabaseProxy.before(refusing(databases).databaseUrl());
                var server = start(proxy.url() + PRIMARY)) {
            var project = server.newProject();
            project.me(project.signUp().accessToken()).expect(200);

            Eventually.until(
                    "branding costs no statement",
                    () -> proxy.during(() -> project.get("/v1/auth/branding").expect(200))
                            .isEmpty());
        }
    }

    @Test
    void aChangeOnOneNodeIsSeenOnTheOther(TestDatabase databases) {
        var url = refusing(databases).databaseUrl();
        try (var one = start(url);
                var other = start(url + PRIMARY)) {
            var project = one.newProject();
            var there = project.at(other);
            setBrandName(project, "Before");
            Eventually.until("it is cached there", () -> hasBrandName(there, "Before"));

            setBrandName(project, "After");

            Eventually.until("the other node knows", () -> hasBrandName(there, "After"));
        }
    }

    /** The new primary has another name, and no row that says so. */
    @Test
    void afterAFailoverNoCacheIsTrusted(@TempDir Path folder) {
        try (var postgres = ReplicatedPostgres.start(folder)) {
            RefusingEngine.simulateIn(new Sql(postgres.url()));
            try (var server = start(postgres.url())) {
                var project = server.newProject();
                setBrandName(project, "Before");
                assertThat(hasBrandName(project, "Before")).isTrue();

                postgres.first().kill();
                postgres.second().promote();
                postgres.second().text("UPDATE brandings SET brand_name = 'After' RETURNING brand_name");

                Eventually.until("the new primary's name is served", () -> hasBrandName(project, "After"));
                project.signUp();
            }
        }
    }

    /** Caches are never trusted there, so each request pays for what it reads. */
    @Test
    void withoutAChangeFeedARequestForTokensReadsNoOtherClientOfTheProject(TestDatabase databases) {
        var sql = refusing(databases);
        sql.update("CREATE FUNCTION refusals.pg_current_snapshot() RETURNS pg_snapshot LANGUAGE plpgsql AS"
                + " $$BEGIN RAISE EXCEPTION 'not here'; END$$");
        try (var proxy = DatabaseProxy.before(sql.databaseUrl());
                var server = start(proxy.url())) {
            var project = server.newProject();
            project.asOwner("POST", "/oauth-apis")
                    .json(Map.of(
                            "uri",
                            "https://api.example.com",
                            "name",
                            "Notes",
                            "scopes",
                            List.of(Map.of("name", "read"))))
                    .expect(201);
            var client = OauthBrowser.register(
                    project, "service", Map.of("apiScopes", Map.of("https://api.example.com", List.of("read"))));
            var form = Map.of(
                    "grant_type", "client_credentials",
                    "client_id", client.text("clientId"),
                    "client_secret", client.text("clientSecret"));
            OauthBrowser.token(project, form, 200);

            assertThat(proxy.during(() -> OauthBrowser.token(project, form, 200)))
                    .filteredOn(statement -> statement.contains("oauth_client"))
                    .isNotEmpty()
                    .allSatisfy(statement ->
                            assertThat(statement).containsAnyOf("id = $2", "client_id = $2", "client.id = $3"));
        }
    }
}
