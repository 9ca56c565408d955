package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What happens to a replaced refresh token: a moment later, later, and much later. */
@ExtendWith(WithServer.class)
class RefreshGraceIT {
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final TestClock clock = new TestClock();
    private final TestDatabase database;

    RefreshGraceIT(TestDatabase database) {
        this.database = database;
    }

    @Test
    void aReplacedTokenGetsTheSameSuccessorWithinTheGraceTime() {
        try (var server = TestServer.start(database, Map.of(), clock)) {
            var project = server.newProject();
            var first = project.signUp().refreshToken();
            var second = project.refresh(first).expect(200).refreshToken();
            clock.advance(GRACE);

            assertThat(project.refresh(first).expect(200).refreshToken()).isEqualTo(second);
            assertThat(project.refresh(second).expect(200).refreshToken()).isNotEqualTo(second);
        }
    }

    @Test
    void aTokenReplacedLongerAgoEndsTheSession() {
        try (var server = TestServer.start(database, Map.of(), clock)) {
            var project = server.newProject();
            var first = project.signUp().refreshToken();
            var refreshed = project.refresh(first).expect(200);
            clock.advance(GRACE.plusMillis(1));

            project.refresh(first).expect(401);
            project.refresh(refreshed.refreshToken()).expect(401);
            project.refreshAccessToken(refreshed.refreshToken()).expect(401);
            project.me(refreshed.accessToken()).expect(401);
            project.verify(refreshed.accessToken()).expect(401);
        }
    }

    @Test
    void aTokenBeforeThePreviousOneEndsTheSessionAtAnyTime() {
        try (var server = TestServer.start(database, Map.of(), clock)) {
            var project = server.newProject();
            var first = project.signUp().refreshToken();
            var second = project.refresh(first).expect(200).refreshToken();
            var third = project.refresh(second).expect(200);

            project.refresh(first).expect(401);
            project.refresh(third.refreshToken()).expect(401);
            project.me(third.accessToken()).expect(401);
        }
    }

    @Test
    void aReusedTokenEndsOnlyItsOwnSession() {
        try (var server = TestServer.start(database, Map.of(), clock)) {
            var project = server.newProject();
            var stolen = project.signUp("ann@example.com");
            var other = project.signIn("ann@example.com");
            project.refresh(stolen.refreshToken()).expect(200);
            clock.advance(GRACE.plusSeconds(1));
            project.refresh(stolen.refreshToken()).expect(401);

            project.me(other.accessToken()).expect(200);
            project.refresh(other.refreshToken()).expect(200);
        }
    }

    @Test
    void theGraceTimeIsTheConfiguredOne() {
        try (var server = TestServer.start(database, Map.of("VESTIBULE_SESSIONS_REFRESH_GRACE_SECONDS", "60"), clock)) {
            var project = server.newProject();
            var first = project.signUp().refreshToken();
            var second = project.refresh(first).expect(200).refreshToken();
            clock.advance(Duration.ofSeconds(60));
            assertThat(project.refresh(first).expect(200).refreshToken()).isEqualTo(second);
            clock.advance(Duration.ofMillis(1));
            project.refresh(first).expect(401);
        }
    }

    @Test
    void withoutGraceEveryReplacedTokenIsTheft() {
        try (var server = TestServer.start(database, Map.of("VESTIBULE_SESSIONS_REFRESH_GRACE_SECONDS", "0"), clock)) {
            var project = server.newProject();
            var first = project.signUp().refreshToken();
            project.refresh(first).expect(200);
            clock.advance(Duration.ofMillis(1));
            project.refresh(first).expect(401);
        }
    }
}
