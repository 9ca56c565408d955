package dev.vestibule.token;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
