package dev.vestibule.authentication.factor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Someone who knows the password tries second factors, while the owner signs in at home. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KnownNetworkFactorIT {
    private static final String HOME = "203.0.113.1";
    private static final String STRANGER = "198.51.100.2";
    private static final String OFFICE = "203.0.113.200";
    private static final String CAFE = "192.0.2.3";
    private static final String WRONG_BACKUP_CODE = "0000000000";
    private static final int A_DAYS = 20;

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private TestProject project;
    private String email;
    private String user;
    private Authenticator app;
    private List<String> backupCodes;

    KnownNetworkFactorIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_HTTP_TRUSTED_PROXIES", "127.0.0.1,::1"), clock);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void ownerSignsInAtHome() {
        project = server.newProject();
        email = TestServer.newEmail();
        var signedUp = project.signUp(email);
        user = signedUp.text("user/id");
        server.proveEmail(email);
        var setup = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(signedUp.accessToken())
                .expect(200);
        app = new Authenticator(setup.text("secret"), clock);
        backupCodes = new ArrayList<>();
        setup.json().path("backupCodes").forEach(node -> backupCodes.add(node.textValue()));
        server.api()
                .post("/v1/auth/mfa/totp/verify-setup")
                .bearer(signedUp.accessToken())
                .header("X-Forwarded-For", OFFICE)
                .json(Map.of("code", app.code()))
                .expect(200);
        clock.advance(Duration.ofSeconds(30));
        signIn(code(), HOME).expect(200);
    }

    /** A code that has not been used yet. */
    private String code() {
        clock.advance(Duration.ofSeconds(30));
        return app.code();
    }

    private Call signIn(String code, String network) {
        var token = project.post("/v1/auth/signin")
                .header("X-Forwarded-For", network)
                .json(Map.of("email", email, "password", TestProject.PASSWORD))
                .expect(200)
                .text("mfaToken");
        return project.post("/v1/auth/mfa/verify")
                .header("X-Forwarded-For", network)
                .json(Map.of("mfaToken", token, "code", code));
    }

    private void guess(int times, String network) {
        for (int i = 0; i < times; i++) {
            signIn(app.wrongCode(), network).expect(401);
        }
    }

    @Test
    void aStrangerWithThePasswordCannotLockTheOwnerOutOfAKnownNetwork() {
        guess(A_DAYS, STRANGER);
        signIn(code(), CAFE).expect(429);
        signIn(code(), HOME).expect(200);
    }

    @Test
    void aStrangerWithThePasswordCannotLockTheOwnerOutWhereTheFactorWasSetUp() {
        guess(A_DAYS, STRANGER);
        signIn(code(), OFFICE).expect(200);
    }

    @Test
    void wrongOneTimePasswordsDoNotBlockBackupCodes() {
        guess(A_DAYS, STRANGER);
        signIn(code(), CAFE).expect(429);
        signIn(backupCodes.get(0), CAFE).expect(200);
    }

    @Test
    void aKnownNetworkHasTwentyTriesOfItsOwnAndNoMore() {
        guess(A_DAYS, HOME);
        signIn(code(), HOME).expect(429);
        signIn(code(), CAFE).expect(200);
    }

    @Test
    void aRightCodeResetsTheTriesOfItsNetwork() {
        guess(A_DAYS - 1, HOME);
        signIn(code(), HOME).expect(200);
        guess(A_DAYS - 1, HOME);
        signIn(code(), HOME).expect(200);
    }

    /** Otherwise each sign in of the owner would allow twenty more guesses. */
    @Test
    void aRightCodeAtHomeDoesNotResetTheTriesOfStrangers() {
        guess(A_DAYS, STRANGER);
        signIn(code(), HOME).expect(200);
        signIn(backupCodes.get(1), HOME).expect(200);
        signIn(app.wrongCode(), STRANGER).expect(429);
    }

    @Test
    void aTravellingOwnerCanUseABackupCode() {
        guess(A_DAYS, STRANGER);
        signIn(backupCodes.get(2), CAFE).expect(200);
        signIn(code(), "192.0.2.77").expect(200);
    }

    @Test
    void backupCodesHaveTheirOwnLimit() {
        signIn(WRONG_BACKUP_CODE, STRANGER).expect(401);
        server.sql()
                .update(
                        "UPDATE budgets SET used = 10000 WHERE project_id = ?::uuid AND scope = 'backup_code'",
                        project.id());
        signIn(backupCodes.get(3), STRANGER).expect(429);
        signIn(code(), STRANGER).expect(200);
    }

    /**
     * Each network from which both factors signed in has twenty tries, and an attacker who has one factor has another
     * twenty.
     */
    @Test
    void allNetworksTogetherHaveSixtyTriesADay() {
        signIn(code(), CAFE).expect(200);
        signIn(code(), "192.0.2.77").expect(200);
        for (var network : List.of(STRANGER, CAFE, HOME)) {
            guess(A_DAYS, network);
        }
        signIn(code(), "192.0.2.77").expect(429);
        signIn(backupCodes.get(4), "192.0.2.77").expect(200);
        signIn(code(), "192.0.2.77").expect(429);
        clock.advance(Duration.ofDays(1));
        signIn(code(), "192.0.2.77").expect(200);
    }

    @Test
    void supportResetsEveryBudgetOfASecondFactor() {
        guess(A_DAYS, HOME);
        guess(A_DAYS, STRANGER);
        project.manage("POST", "/v1/dashboard/users/" + user + "/unlock").expect(200);
        signIn(code(), HOME).expect(200);
        assertThat(server.sql()
                        .count(
                                "SELECT count(*) FROM budgets WHERE project_id = ?::uuid AND kind = 'wrong_codes'",
                                project.id()))
                .isZero();
    }
}
