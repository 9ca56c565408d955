package dev.vestibule.token;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class MasterSecretRotationIT {
    private static final String FIRST = "the first master secret that is long enough to be one";
    private static final String SECOND = "the second master secret that is long enough to be one";
    private static final String THIRD = "the third master secret that is long enough to be one";
    private static final String SEALED_SECRETS = "SELECT sealed_secret::text FROM totp_factors";

    private final TestServer server;

    MasterSecretRotationIT(TestDatabase database) {
        this.server = TestServer.start(database, Map.of("VESTIBULE_SECRET", FIRST));
    }

    @Test
    void sessionsAndSigningKeysOutliveTheMasterSecret() {
        var project = server.newProject();
        var signedUp = project.signUp("ann@example.com");
        server.close();

        var refreshToken = usesTokens(project, signedUp.accessToken(), signedUp.refreshToken(), SECOND, FIRST);
        usesTokens(project, signedUp.accessToken(), refreshToken, THIRD, SECOND + "," + FIRST);
    }

    /** They have no end, so nobody could say for how long to keep the secret that they were made under. */
    @Test
    void backupCodesOutliveAMasterSecretThatIsNoLongerKept() {
        var project = server.newProject();
        var backupCode = enrol(project.signUp("ann@example.com"));
        var sealed = server.sql().texts(SEALED_SECRETS);
        server.close();
        try (var rotated = startOn(SECOND, FIRST)) {
            Eventually.until(
                    "the secret of one-time passwords is sealed again",
                    () -> !rotated.sql().texts(SEALED_SECRETS).equals(sealed));
            rotated.sql().update("DELETE FROM signing_keys"); // as rotations of the keys do in the end
        }

        try (var later = startOn(SECOND, THIRD)) {
            var same = project.at(later);
            var mfaToken = same.trySignIn("ann@example.com", TestProject.PASSWORD)
                    .expect(200)
                    .text("mfaToken");
            same.post("/v1/auth/mfa/verify")
                    .json(Map.of("mfaToken", mfaToken, "code", backupCode))
                    .expect(200);
        }
    }

    /** Sets one-time passwords up, and returns a backup code. */
    private String enrol(Response signedUp) {
        server.proveEmail("ann@example.com");
        var setup = server.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(signedUp.accessToken())
                .expect(200);
        var app = new Authenticator(setup.text("secret"), Clock.systemUTC());
        server.api()
                .post("/v1/auth/mfa/totp/verify-setup")
                .bearer(signedUp.accessToken())
                .json(Map.of("code", app.code()))
                .expect(200);
        return setup.text("backupCodes/0");
    }

    @Test
    void aServerDoesNotStartWithoutTheSecretThatSealedItsKeys() {
        server.newProject();
        server.close();

        assertThatThrownBy(() -> startOn(THIRD, SECOND)).hasMessageContaining("previousSecrets");
    }

    private String usesTokens(
            TestProject project, String accessToken, String refreshToken, String secret, String previous) {
        try (var rotated = startOn(secret, previous)) {
            var same = project.at(rotated);
            same.me(accessToken).expect(200);
            var refreshed = same.refresh(refreshToken).expect(200);
            same.me(refreshed.accessToken()).expect(200);
            same.me(same.signIn("ann@example.com").accessToken()).expect(200);
            return same.refresh(refreshed.refreshToken()).expect(200).refreshToken();
        }
    }

    private TestServer startOn(String secret, String previous) {
        return TestServer.startOn(
                server.databaseUrl(),
                Map.of("VESTIBULE_SECRET", secret, "VESTIBULE_PREVIOUS_SECRETS", previous),
                Clock.tickMillis(ZoneOffset.UTC));
    }
}
