package dev.vestibule.authentication.reauthentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a user last authenticated, and what a project requires. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReauthenticateIT {
    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;

    ReauthenticateIT(TestDatabase database) {
        server = TestServer.start(database, Map.of(), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
    }

    private Call reauthenticate(Response tokens, String password) {
        return server.api()
                .post("/v1/auth/reauthenticate")
                .bearer(tokens.accessToken())
                .json(Map.of("password", password));
    }

    private Call unlink(Response tokens) {
        return server.api().call("DELETE", "/v1/auth/me/providers/google").bearer(tokens.accessToken());
    }

    private void requireRecentSignIn(int seconds) {
        project.asOwner("PATCH", "")
                .json(Map.of("requireRecentSignIn", seconds))
                .expect(200);
    }

    private static long authTime(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims().path("auth_time").asLong();
    }

    private static String amr(Response tokens) {
        return Jwt.parse(tokens.accessToken()).claims().path("amr").toString();
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    @Test
    void aTokenSaysWhenAndHowItsUserSignedInEvenAfterARefresh() {
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        assertThat(authTime(signedUp)).isEqualTo(now());
        assertThat(amr(signedUp)).isEqualTo("[\"pwd\"]");

        clock.advance(Duration.ofMinutes(1));
        var inA = project.signIn(email);
        var inB = project.signInInVariantB(email);
        var signedInAt = now();
        clock.advance(Duration.ofMinutes(1));

        for (var refreshed : List.of(
                inA,
                project.refresh(inA.refreshToken()).expect(200),
                project.refreshAccessToken(inB.refreshToken()).expect(200))) {
            assertThat(authTime(refreshed)).isEqualTo(signedInAt);
            assertThat(amr(refreshed)).isEqualTo("[\"pwd\"]");
        }
        var verified = project.verify(inA.accessToken()).expect(200);
        assertThat(verified.json().at("/payload/auth_time").asLong()).isEqualTo(signedInAt);
        assertThat(verified.json().at("/payload/amr").toString()).isEqualTo("[\"pwd\"]");
    }

    @Test
    void thePasswordRenewsTheSessionAndLeavesItsRefreshTokenAlone() {
        var signedUp = project.signUp();
        clock.advance(Duration.ofMinutes(1));

        var renewed = reauthenticate(signedUp, TestProject.PASSWORD).expect(200);

        assertThat(authTime(renewed)).isEqualTo(now());
        assertThat(renewed.refreshToken()).isEqualTo(signedUp.refreshToken());
        assertThat(Jwt.parse(renewed.accessToken()).claims().path("sid"))
                .isEqualTo(Jwt.parse(signedUp.accessToken()).claims().path("sid"));
        project.me(renewed.accessToken()).expect(200);
    }

    /** Someone may have a copy of it, and would otherwise wait for the owner to reauthenticate. */
    @Test
    void noRefreshTokenInheritsALaterProof() {
        var inA = project.signUp();
        var inB = project.signUpInVariantB();
        var signedIn = now();
        clock.advance(Duration.ofMinutes(1));
        for (var session : List.of(inA, inB)) {
            assertThat(authTime(reauthenticate(session, TestProject.PASSWORD).expect(200)))
                    .isEqualTo(now());
        }
        for (var refreshed : List.of(
                project.refresh(inA.refreshToken()).expect(200),
                project.refreshAccessToken(inB.refreshToken()).expect(200))) {
            assertThat(authTime(refreshed)).isEqualTo(signedIn);
        }
    }

    @Test
    void inVariantBTheTokenLivesAsLongAsOtherTokens() {
        var inB = project.signUpInVariantB();
        assertThat(reauthenticate(inB, TestProject.PASSWORD)
                        .expect(200)
                        .json()
                        .path("expiresIn")
                        .asInt())
                .isEqualTo(3600);
    }

    @Test
    void guessesLockTheAccountLikeFailedSignIns() {
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        for (int i = 0; i < 10; i++) {
            reauthenticate(signedUp, "not the password").expect(401);
        }
        reauthenticate(signedUp, TestProject.PASSWORD).expect(429);
        project.trySignIn(email, TestProject.PASSWORD).expect(429);
    }

    @Test
    void aWrongPasswordRenewsNothing() {
        var signedUp = project.signUp();
        clock.advance(Duration.ofMinutes(1));
        reauthenticate(signedUp, "not the password").expect(401);
        reauthenticate(signedUp, "\u0000").expect(401);
        server.api()
                .post("/v1/auth/reauthenticate")
                .bearer(signedUp.accessToken())
                .json(Map.of("password", 7))
                .expect(422);
        assertThat(authTime(project.refresh(signedUp.refreshToken()).expect(200)))
                .isEqualTo(authTime(signedUp));
    }

    @Test
    void withoutAPasswordTheErrorSaysToSignInAgain() {
        var signedUp = project.signUp();
        server.sql().update("UPDATE users SET password_hash = NULL WHERE id = ?::uuid", signedUp.text("user/id"));
        assertThat(reauthenticate(signedUp, TestProject.PASSWORD).expect(409).text("message"))
                .contains("sign in again");
        server.sql().update("UPDATE users SET email = NULL WHERE id = ?::uuid", signedUp.text("user/id"));
        reauthenticate(signedUp, TestProject.PASSWORD).expect(409);
    }

    @Test
    void aSessionThatEndsDuringThePasswordCheckIsNotRevived() {
        var email = TestServer.newEmail();
        project.signUp(email);
        for (int round = 0; round < 4; round++) {
            var session = project.signIn(email);
            var answers = Parallel.send(
                    2,
                    number -> number == 0
                            ? reauthenticate(session, TestProject.PASSWORD)
                            : project.signOut(session.accessToken()));
            assertThat(answers.get(0).status()).isIn(200, 401, 503);
            assertThat(answers.get(1).status()).isEqualTo(200);
            project.refresh(session.refreshToken()).expect(401);
        }
    }

    @Test
    void anOldSignInIsNotEnoughIfTheProjectRequiresARecentOne() {
        var email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        clock.advance(Duration.ofMinutes(6));
        unlink(signedUp).expect(404);
        requireRecentSignIn(300);

        var refused = unlink(signedUp).expect(403);
        assertThat(refused.text("error")).isEqualTo("Forbidden");
        assertThat(refused.text("reason")).isEqualTo("reauthentication_required");
        var link = server.api()
                .post("/v1/auth/me/providers/google")
                .bearer(signedUp.accessToken())
                .json(Map.of("code", "a code", "state", "a state"))
                .expect(403);
        assertThat(link.text("reason")).isEqualTo("reauthentication_required");
        var refreshed = project.refresh(signedUp.refreshToken()).expect(200);
        unlink(refreshed).expect(403);

        var renewed = reauthenticate(refreshed, TestProject.PASSWORD).expect(200);
        unlink(renewed).expect(404);
        unlink(project.refresh(renewed.refreshToken()).expect(200)).expect(403);
        unlink(project.signIn(email)).expect(404);

        clock.advance(Duration.ofMinutes(5));
        unlink(renewed).expect(404);
        clock.advance(Duration.ofSeconds(1));
        unlink(renewed).expect(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "31536001", "1.5", "\"300\"", "null", "99999999999999999999"})
    void theTimeIsAWholeNumberOfSeconds(String value) {
        assertThat(project.asOwner("PATCH", "")
                        .raw("application/json", "{\"requireRecentSignIn\":" + value + "}")
                        .expect(422)
                        .failingFields())
                .containsExactly("requireRecentSignIn");
    }
}
