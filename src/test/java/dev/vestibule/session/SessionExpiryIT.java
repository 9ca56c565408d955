package dev.vestibule.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Here a session lives ten minutes and an access token an hour, so that the session ends first. */
@ExtendWith(WithServer.class)
class SessionExpiryIT {
    private static final Duration LIFE = Duration.ofMinutes(10);

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private final TestProject project;

    SessionExpiryIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_SESSIONS_SWEEP_SECONDS", "1"), clock);
        project = server.newProject();
        server.change(project, "refresh_token_ttl_seconds = 600, access_token_ttl_seconds = 3600");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anExpiredSessionIsInvalid() {
        var signedUp = project.signUp();
        var inVariantB = project.signUpInVariantB();
        clock.advance(
                LIFE.minusSeconds(1)); // an access token ends on a whole second, which is not after its session's end
        project.verify(signedUp.accessToken()).expect(200);
        project.me(signedUp.accessToken()).expect(200);
        clock.advance(Duration.ofMillis(999));
        project.refreshAccessToken(inVariantB.refreshToken()).expect(200);
        clock.advance(Duration.ofMillis(1));

        project.verify(signedUp.accessToken()).expect(401);
        project.me(signedUp.accessToken()).expect(401);
        project.refresh(signedUp.refreshToken()).expect(401);
        project.refreshAccessToken(inVariantB.refreshToken()).expect(401);
    }

    @Test
    void variantAExtendsTheSessionByItsFullLifetime() {
        var signedUp = project.signUp();
        clock.advance(LIFE.minusSeconds(1));
        var refreshed = project.refresh(signedUp.refreshToken()).expect(200);
        assertThat(expiry()).isEqualTo(clock.instant().plus(LIFE));
        clock.advance(LIFE.minusSeconds(1));

        project.me(refreshed.accessToken()).expect(200);
        clock.advance(Duration.ofSeconds(1));
        project.me(refreshed.accessToken()).expect(401);
    }

    @Test
    void variantBNeitherReplacesTheTokenNorExtendsTheSession() {
        var signedUp = project.signUpInVariantB();
        var expiry = expiry();
        clock.advance(LIFE.minusSeconds(1));
        var answer = project.refreshAccessToken(signedUp.refreshToken()).expect(200);

        assertThat(answer.json().fieldNames()).toIterable().containsExactlyInAnyOrder("accessToken", "expiresIn");
        assertThat(expiry()).isEqualTo(expiry);
        project.me(answer.accessToken()).expect(200);
        project.refreshAccessToken(signedUp.refreshToken()).expect(200);
        clock.advance(Duration.ofSeconds(1));
        project.me(answer.accessToken()).expect(401);
    }

    @Test
    void anExpiredSessionDoesNotCountAsConcurrent() {
        server.change(project, "max_concurrent_sessions = 1");
        project.signUp("ann@example.com");
        clock.advance(LIFE);
        project.me(project.signIn("ann@example.com").accessToken()).expect(200);
    }

    @Test
    void expiredSessionsAreRemovedAndActiveOnesStay() {
        project.signUp("ann@example.com");
        clock.advance(LIFE.minusSeconds(1));
        var living = project.signIn("ann@example.com");
        clock.advance(Duration.ofSeconds(1));

        Eventually.until("the sweep removes the expired session", () -> sessions() == 1);
        project.me(living.accessToken()).expect(200);
    }

    @Test
    void aRefreshedSessionStaysBeyondItsFirstEndUntilItsLast() {
        var signedUp = project.signUp();
        clock.advance(LIFE.minusSeconds(1));
        var refreshed = project.refresh(signedUp.refreshToken()).expect(200);
        clock.advance(Duration.ofSeconds(1));

        assertThat(project.manage("GET", "/v1/dashboard/sessions").expect(200).text("total"))
                .isEqualTo("1");
        Eventually.until("the sweep looks at it again at its end", () -> sessions("sweep_at = expires_at") == 1);
        project.me(refreshed.accessToken()).expect(200);
        clock.advance(LIFE);
        Eventually.until("the sweep removes it", () -> sessions() == 0);
    }

    private Instant expiry() {
        var text = server.sql()
                .texts(
                        "SELECT to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
                                + " FROM sessions WHERE project_id = ?::uuid",
                        project.id())
                .get(0);
        return Instant.parse(text);
    }

    private long sessions() {
        return sessions("true");
    }

    private long sessions(String condition) {
        return server.sql()
                .count("SELECT count(*) FROM sessions WHERE project_id = ?::uuid AND " + condition, project.id());
    }
}
