package dev.vestibule.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.json.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When API keys were last used. */
@ExtendWith(WithServer.class)
class ApiKeyUsageIT {
    private static final Map<String, String> SELDOM = Map.of("VESTIBULE_PROJECTS_KEY_USE_SECONDS", "86400");

    private final String databaseUrl;
    private final TestClock clock = new TestClock();

    ApiKeyUsageIT(TestDatabase database) {
        databaseUrl = database.createDatabase();
    }

    private TestServer start(Map<String, String> environment) {
        return TestServer.startOn(databaseUrl, environment, clock);
    }

    private static String lastUsed(TestProject project, String kind) {
        var keys = project.asOwner("GET", "/keys").expect(200).json().path("keys");
        return StreamSupport.stream(keys.spliterator(), false)
                .filter(key -> key.path("kind").asText().equals(kind))
                .map(key -> key.path("lastUsedAt").asText())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theLastUseOfEachKeyIsWritten() {
        try (var server = start(Map.of())) {
            var project = server.newProject();
            assertThat(lastUsed(project, "publishable")).isEqualTo("null");
            clock.advance(Duration.ofMinutes(1));
            project.get("/v1/auth/branding").expect(200);
            clock.advance(Duration.ofMinutes(1));
            var used = clock.instant();
            project.get("/v1/auth/branding").expect(200);
            clock.advance(Duration.ofMinutes(1));

            Eventually.until(
                    "the last use is written",
                    () -> lastUsed(project, "publishable").equals(text(used)));
            assertThat(lastUsed(project, "secret")).isEqualTo("null");
        }
    }

    @Test
    void anOrderlyShutdownWritesAllUses() {
        TestProject project;
        try (var server = start(SELDOM)) {
            project = server.newProject();
            project.get("/v1/auth/branding").expect(200);
            project.get("/v1/auth/branding")
                    .header("Authorization", "Bearer " + project.secretKey())
                    .expect(200);
        }
        try (var again = start(SELDOM)) {
            assertThat(lastUsed(project.at(again), "publishable")).isEqualTo(text(clock.instant()));
            assertThat(lastUsed(project.at(again), "secret")).isEqualTo(text(clock.instant()));
        }
    }

    @Test
    void theLatestUseOnAnyNodeWins() {
        var server = start(SELDOM);
        var project = server.newProject();
        var other = start(SELDOM);
        project.get("/v1/auth/branding").expect(200);
        clock.advance(Duration.ofSeconds(1));
        var last = clock.instant();
        project.at(other).get("/v1/auth/branding").expect(200);
        other.close();
        server.close();

        try (var again = start(SELDOM)) {
            assertThat(lastUsed(project.at(again), "publishable")).isEqualTo(text(last));
        }
    }

    @Test
    void aRevokedKeyDoesNotPreventWritingOthers() {
        TestProject project;
        try (var server = start(SELDOM)) {
            project = server.newProject();
            var gone = project.asOwner("POST", "/keys")
                    .json(Map.of("kind", "secret"))
                    .expect(201);
            server.api().get("/v1/auth/branding").key(gone.text("key")).expect(200);
            project.get("/v1/auth/branding").expect(200);
            project.asOwner("DELETE", "/keys/" + gone.text("id")).expect(200);
        }
        try (var again = start(SELDOM)) {
            assertThat(lastUsed(project.at(again), "publishable")).isEqualTo(text(clock.instant()));
        }
    }

    private static String text(Instant instant) {
        return Timestamps.format(instant);
    }
}
