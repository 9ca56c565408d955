package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.SlowHashing;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Guessing the password of one account, through two nodes. */
@ExtendWith(WithServer.class)
class LockoutIT {
    private static final int LIMIT = 10;
    private static final Duration LOCK = Duration.ofMinutes(15);
    private static final String WRONG = "not the password";
    private static final String EMAIL = "ann@example.com";

    private final TestClock clock = new TestClock();
    private final TestServer first;
    private final TestServer second;
    private final TestProject project;
    private final TestProject elsewhere;

    LockoutIT(TestDatabase database) {
        first = TestServer.start(database, Map.of(), clock);
        second = TestServer.startOn(first.databaseUrl(), Map.of(), clock);
        project = first.newProject();
        elsewhere = project.at(second);
    }

    @AfterEach
    void stop() {
        second.close();
        first.close();
    }

    @Test
    void tenFailuresOnAllNodesTogetherLockTheAccountOnAllOfThem() {
        project.signUp(EMAIL);
        guess(EMAIL, LIMIT);
        for (var node : new TestProject[] {project, elsewhere}) {
            var refused = node.trySignIn(EMAIL, TestProject.PASSWORD).expect(429);
            assertThat(refused.header("Retry-After")).hasValue("900");
            assertThat(refused.header("RateLimit-Policy")).hasValue("\"failed-signins\";q=10;w=900");
            assertThat(refused.header("RateLimit")).hasValue("\"failed-signins\";r=0;t=900");
            assertThat(refused.text("error")).isEqualTo("Too Many Requests");
            node.trySignIn(EMAIL, WRONG).expect(429);
            node.trySignIn(" ANN@example.com ", TestProject.PASSWORD).expect(429);
        }
    }

    @Test
    void nineFailuresLockNothing() {
        project.signUp(EMAIL);
        guess(EMAIL, LIMIT - 1);
        project.signIn(EMAIL);
    }

    @Test
    void anEmailWithoutAnAccountIsLockedToo() {
        project.signUp(EMAIL);
        var nobody = "nobody@example.com";
        for (int i = 0; i < LIMIT; i++) {
            assertThat(project.trySignIn(nobody, WRONG).expect(401).body())
                    .isEqualTo(project.trySignIn(EMAIL, WRONG).expect(401).body());
        }
        var unknown = project.trySignIn(nobody, WRONG).expect(429);
        var known = project.trySignIn(EMAIL, WRONG).expect(429);
        assertThat(unknown.body()).isEqualTo(known.body());
        assertThat(unknown.header("Retry-After")).isEqualTo(known.header("Retry-After"));
    }

    @Test
    void theLockEndsAfterItsTime() {
        project.signUp(EMAIL);
        guess(EMAIL, LIMIT);
        clock.advance(LOCK.minusSeconds(1));
        assertThat(elsewhere.trySignIn(EMAIL, TestProject.PASSWORD).expect(429).header("Retry-After"))
                .hasValue("1");
        clock.advance(Duration.ofSeconds(1));
        elsewhere.signIn(EMAIL);
    }

    @Test
    void attemptsDuringALockDoNotExtendIt() {
        project.signUp(EMAIL);
        guess(EMAIL, LIMIT);
        clock.advance(LOCK.minusSeconds(1));
        project.trySignIn(EMAIL, WRONG).expect(429);
        clock.advance(Duration.ofSeconds(1));
        project.signIn(EMAIL);
    }

    @Test
    void failuresBeforeTheWindowAreForgotten() {
        project.signUp(EMAIL);
        guess(EMAIL, LIMIT - 1);
        clock.advance(LOCK);
        guess(EMAIL, LIMIT - 1);
        project.signIn(EMAIL);
    }

    @Test
    void aSuccessResetsTheCount() {
        project.signUp(EMAIL);
        for (int round = 0; round < 3; round++) {
            guess(EMAIL, LIMIT - 1);
            elsewhere.signIn(EMAIL);
        }
    }

    @Test
    void aLockAppliesToOneProjectAndOneEmail() {
        var other = first.newProject();
        other.signUp(EMAIL);
        project.signUp(EMAIL);
        project.signUp("bob@example.com");
        guess(EMAIL, LIMIT);
        other.signIn(EMAIL);
        project.signIn("bob@example.com");
    }

    @Test
    void sessionsOutliveALock() {
        var signedUp = project.signUp(EMAIL);
        guess(EMAIL, LIMIT);
        project.me(signedUp.accessToken()).expect(200);
        elsewhere.refresh(signedUp.refreshToken()).expect(200);
    }

    /** No answer must tell the right password from the wrong ones once as many as lock the account are in progress. */
    @Test
    void concurrentGuessesGetNoMoreTriesThanSequentialOnes() {
        try (var slow = TestServer.startOn(first.databaseUrl(), SlowHashing.settings(Map.of()), clock)) {
            project.at(slow).signUp(EMAIL);
            var wrong = Parallel.start(3 * LIMIT, number -> project.at(slow).trySignIn(EMAIL, WRONG));
            SlowHashing.awaitWaiting(slow, LIMIT);
            project.at(slow).trySignIn(EMAIL, TestProject.PASSWORD).expect(429);
            var answers = Parallel.await(wrong);
            assertThat(answers).extracting(Response::status).containsOnly(401, 429);
            assertThat(answers.stream().filter(answer -> answer.status() == 401))
                    .hasSizeLessThanOrEqualTo(LIMIT);
        }
        elsewhere.trySignIn(EMAIL, TestProject.PASSWORD).expect(429);
        clock.advance(LOCK);
        project.signIn(EMAIL);
    }

    @Test
    void aBanIsNotToldBehindAsManyWrongPasswordsAsLockTheAccount() {
        try (var slow = TestServer.startOn(first.databaseUrl(), SlowHashing.settings(Map.of()), clock)) {
            slow.ban(project.at(slow).signUp(EMAIL).text("user/id"));
            var wrong = Parallel.start(3 * LIMIT, number -> project.at(slow).trySignIn(EMAIL, WRONG));
            SlowHashing.awaitWaiting(slow, LIMIT);
            project.at(slow).trySignIn(EMAIL, TestProject.PASSWORD).expect(429);
            Parallel.await(wrong);
        }
    }

    /** A password that is entered again in a session, which somebody may have found open. */
    @Test
    void aRightPasswordBehindWrongOnesIsRefusedInASessionToo() {
        try (var slow = TestServer.startOn(first.databaseUrl(), SlowHashing.settings(Map.of()), clock)) {
            var token = project.at(slow).signUp(EMAIL).accessToken();
            var wrong = Parallel.start(2 * LIMIT, number -> reauthenticate(slow, token, WRONG));
            SlowHashing.awaitWaiting(slow, LIMIT);
            reauthenticate(slow, token, TestProject.PASSWORD).expect(429);
            assertThat(Parallel.await(wrong)).extracting(Response::status).containsOnly(401, 429);
        }
    }

    private static Call reauthenticate(TestServer node, String token, String password) {
        return node.api().post("/v1/auth/reauthenticate").bearer(token).json(Map.of("password", password));
    }

    private void guess(String email, int times) {
        for (int i = 0; i < times; i++) {
            (i % 2 == 0 ? project : elsewhere).trySignIn(email, WRONG).expect(401);
        }
    }
}
