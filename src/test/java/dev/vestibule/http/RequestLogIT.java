package dev.vestibule.http;

import static dev.vestibule.fixture.LoggedLines.field;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.LoggedLines;
import dev.vestibule.fixture.RawConnection;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The log line of a request. */
@ExtendWith(WithServer.class)
class RequestLogIT {
    private static final String ID = RequestRecord.ID_HEADER;

    private final TestDatabase database;
    private final LoggedLines log = new LoggedLines(RequestLog.class);

    RequestLogIT(TestDatabase database) {
        this.database = database;
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    /** No request is slow, however busy the machine is. */
    private TestServer startThatLogsAll() {
        return TestServer.start(
                database, Map.of("VESTIBULE_LOG_REQUESTS", "true", "VESTIBULE_LOG_SLOW_MILLIS", "600000"));
    }

    @Test
    void aRequestHasOneLineWithTheCallerTheRouteAndTheOutcome() {
        try (var server = startThatLogsAll()) {
            var project = server.newProject();
            var signUp = project.signUp();
            var user = signUp.text("user/id");
            var me = project.get("/v1/auth/me").bearer(signUp.accessToken()).expect(200);

            var line = log.await(me.header(ID).orElseThrow());
            assertThat(log.of(me.header(ID).orElseThrow())).hasSize(1);
            assertThat(line.getLevel()).isEqualTo(Level.INFO);
            assertThat(field(line, "route")).contains("GET /v1/auth/me");
            assertThat(field(line, "status")).contains("200");
            assertThat(field(line, "millis"))
                    .hasValueSatisfying(millis -> assertThat(millis).matches("[0-9]{1,5}"));
            assertThat(field(line, "project")).contains(project.id());
            assertThat(field(line, "user")).contains(user);
            assertThat(field(line, "key")).contains(lastFour(project.publishableKey()));

            assertThat(field(log.await(signUp.header(ID).orElseThrow()), "user"))
                    .contains(user);

            var list = project.manage("GET", "/v1/dashboard/users").expect(200);
            assertThat(field(log.await(list.header(ID).orElseThrow()), "key")).contains(lastFour(project.secretKey()));
            var signIn =
                    project.trySignIn("nobody@example.com", "not the password").expect(401);
            assertThat(field(log.await(signIn.header(ID).orElseThrow()), "status"))
                    .contains("401");
        }
    }

    private static String lastFour(String key) {
        return key.substring(key.length() - 4);
    }

    @Test
    void noLineContainsAPathQueryOrCredentialOfAClient() {
        var secret = "s3cret-" + UUID.randomUUID();
        try (var server = startThatLogsAll()) {
            var owner = server.newDashboardUser();
            var project = server.newProject(owner, "A project");
            var ids = new ArrayList<String>();
            ids.add(server.api()
                    .post("/v1/dashboard/invitations/" + secret + "/accept")
                    .bearer(owner)
                    .send()
                    .header(ID)
                    .orElseThrow());
            ids.add(server.api()
                    .get("/v1/auth/oauth/redirect?state=" + secret + "&code=" + secret)
                    .send()
                    .header(ID)
                    .orElseThrow());
            ids.add(server.api().get("/v1/" + secret).send().header(ID).orElseThrow());
            ids.add(project.get("/v1/auth/me").bearer(secret).send().header(ID).orElseThrow());
            ids.add(server.api()
                    .get("/v1/auth/branding")
                    .key(project.publishableKey() + secret)
                    .send()
                    .header(ID)
                    .orElseThrow());

            ids.forEach(log::await);
            assertThat(log.text()).doesNotContain(secret, "?", owner, project.publishableKey(), project.secretKey());
            assertThat(field(log.await(ids.get(0)), "route")).contains("POST /v1/dashboard/invitations/:token/accept");
            assertThat(field(log.await(ids.get(2)), "route")).contains("none");
            assertThat(field(log.await(ids.get(4)), "key")).isEmpty();
        }
    }

    @Test
    void byDefaultOnlySlowAndFailedRequestsAreLogged() {
        try (var server = TestServer.start(database, Map.of("VESTIBULE_LOG_SLOW_MILLIS", "600000"))) {
            var project = server.newProject();
            var fine = project.manage("GET", "/v1/dashboard/webhooks").expect(200);
            var unknown = server.api().get("/v1/nothing-here").expect(404);
            server.sql().update("ALTER TABLE webhooks RENAME TO webhooks_away");
            var failed = project.manage("GET", "/v1/dashboard/webhooks").expect(500);
            server.sql().update("ALTER TABLE webhooks_away RENAME TO webhooks");

            var line = log.await(failed.header(ID).orElseThrow());
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(field(line, "status")).contains("500");
            assertThat(field(line, "project")).contains(project.id());
            assertThat(log.of(fine.header(ID).orElseThrow())).isEmpty();
            assertThat(log.of(unknown.header(ID).orElseThrow())).isEmpty();
        }
        try (var server = TestServer.start(database, Map.of("VESTIBULE_LOG_SLOW_MILLIS", "1"))) {
            var slow = server.newProject().signUp();
            assertThat(log.await(slow.header(ID).orElseThrow()).getLevel()).isEqualTo(Level.WARN);
        }
    }

    @Test
    void aLineThatIsLoggedAfterAsynchronousStepsHasTheIdOfItsOwnRequest() throws SQLException {
        try (var failures = new LoggedLines(FailureHandler.class);
                var server = TestServer.start(database, Map.of())) {
            var project = server.newProject();
            var ids = List.of("first-" + UUID.randomUUID(), "second-" + UUID.randomUUID());
            server.sql().update("ALTER TABLE webhooks RENAME TO webhooks_away");
            ids.stream()
                    .map(id -> project.manage("GET", "/v1/dashboard/webhooks")
                            .header(ID, id)
                            .sendAsync())
                    .toList()
                    .forEach(answer -> assertThat(answer.join().status()).isEqualTo(500));
            for (var id : ids) {
                var line = failures.await(id);
                assertThat(failures.of(id)).hasSize(1);
                assertThat(line.getFormattedMessage()).isEqualTo("GET /v1/dashboard/webhooks failed");
                assertThat(line.getThrowableProxy()).isNotNull();
            }
        }
    }

    @Test
    void aRequestAbandonedByItsClientHasALineToo() throws SQLException {
        try (var server = startThatLogsAll();
                var connection = server.sql().connect();
                var statement = connection.createStatement()) {
            var project = server.newProject();
            var id = "given-up-" + UUID.randomUUID();
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE users");
            try (var client = RawConnection.to(server.api().base())) {
                client.send("GET /v1/dashboard/users HTTP/1.1\r\nHost: a\r\nx-api-key: %s\r\nX-Request-Id: %s\r\n\r\n"
                        .formatted(project.secretKey(), id));
                Eventually.until(
                        "it waits for the table",
                        () -> server.sql()
                                        .count(
                                                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                                        + " AND wait_event_type = 'Lock' AND query LIKE '%listed_at%'")
                                >= 1);
            }
            assertThat(field(log.await(id), "status")).contains("499");
            assertThat(log.await(id).getFormattedMessage()).isEqualTo("Closed by the client");
            connection.rollback();
        }
    }
}
