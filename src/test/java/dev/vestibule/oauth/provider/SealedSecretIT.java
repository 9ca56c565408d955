package dev.vestibule.oauth.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.crypto.UnknownMasterSecretException;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What somebody can do with a copy of the database, and what happens to secrets when the master secret changes. */
@ExtendWith(WithServer.class)
class SealedSecretIT {
    private static final String CLIENT_SECRET = "GOCSPX-a client secret";
    private static final String FIRST = "the first master secret that is long enough to be one";
    private static final String NEXT = "the next master secret that is long enough to be one";

    private final TestServer server;
    private final TestProject project;
    private final TestProject other;

    SealedSecretIT(TestDatabase database) {
        server = TestServer.start(database, Map.of("VESTIBULE_SECRET", FIRST));
        project = server.newProject();
        other = server.newProject();
        set(project, "google");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void set(TestProject at, String provider) {
        var answer = at.asOwner("PUT", "/providers/" + provider)
                .json(Map.of("clientId", "id", "clientSecret", CLIENT_SECRET, "enabled", true))
                .expect(200);
        assertThat(answer.body()).doesNotContain(CLIENT_SECRET);
    }

    private byte[] sealed(TestProject of, String provider) {
        return HexFormat.of()
                .parseHex(server.sql()
                        .texts(
                                "SELECT encode(sealed_client_secret, 'hex') FROM identity_providers"
                                        + " WHERE project_id = ?::uuid AND provider = ?",
                                of.id(),
                                provider)
                        .get(0));
    }

    private String open(String masterSecret, TestProject of, String provider) {
        var keys = new MasterKeys(MasterSecret.fromSetting(masterSecret), List.of());
        var context = "provider secret " + of.id() + " " + provider;
        var opened = new Sealer(keys, "provider secrets")
                .open(sealed(of, provider), context.getBytes(StandardCharsets.UTF_8));
        return new String(opened, StandardCharsets.UTF_8);
    }

    private void copyRow(TestProject to, String provider) {
        server.sql()
                .update(
                        "INSERT INTO identity_providers (project_id, provider, client_id, sealed_client_secret, enabled,"
                                + " scopes, oauth_flow, created_at, updated_at)"
                                + " SELECT ?::uuid, ?, client_id, sealed_client_secret, enabled,"
                                + " scopes, oauth_flow, created_at, updated_at FROM identity_providers"
                                + " WHERE project_id = ?::uuid AND provider = 'google'",
                        to.id(),
                        provider,
                        project.id());
    }

    @Test
    void aSealedSecretOpensOnlyInItsOwnRow() {
        copyRow(other, "google");
        copyRow(project, "github");

        assertThat(new String(sealed(project, "google"), StandardCharsets.ISO_8859_1))
                .doesNotContain("GOCSPX");
        assertThat(open(FIRST, project, "google")).isEqualTo(CLIENT_SECRET);
        assertThatThrownBy(() -> open(FIRST, other, "google")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> open(FIRST, project, "github")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> open(NEXT, project, "google")).isInstanceOf(UnknownMasterSecretException.class);
    }

    @Test
    void theSecretIsInNoTableAndInNoResponse() {
        var dump = server.sql()
                .texts(
                        "SELECT identity_providers::text FROM identity_providers WHERE project_id = ?::uuid",
                        project.id());

        assertThat(dump.toString())
                .doesNotContain(CLIENT_SECRET)
                .doesNotContain(HexFormat.of().formatHex(CLIENT_SECRET.getBytes(StandardCharsets.UTF_8)));
        assertThat(project.asOwner("GET", "/providers").expect(200).body())
                .doesNotContain(CLIENT_SECRET)
                .doesNotContainIgnoringCase("secret");
        assertThat(project.get("/v1/auth/providers").expect(200).body()).doesNotContain(CLIENT_SECRET);
    }

    /**
     * A secret that cannot be opened, because it was copied from another row, does not stop the others from being
     * resealed.
     */
    @Test
    void allSecretsAreResealedAfterAChangeOfTheMasterSecret() {
        for (var provider : List.of("kakao", "line", "x")) {
            set(other, provider);
        }
        copyRow(project, "apple");
        project.asOwner("PUT", "/captcha-secret")
                .json(Map.of("secretKey", "of the captchas"))
                .expect(200);
        server.close();

        try (var rotated = start(NEXT, FIRST)) {
            Eventually.until(
                    "every secret that opens is sealed again",
                    () -> isSealedBy(NEXT, project, "google")
                            && List.of("kakao", "line", "x").stream()
                                    .allMatch(provider -> isSealedBy(NEXT, other, provider))
                            && isCaptchaSealedBy(NEXT));
            assertThat(project.at(rotated)
                            .asOwner("GET", "/providers")
                            .expect(200)
                            .text("total"))
                    .isEqualTo("2");
        }
        assertThat(isSealedBy(NEXT, project, "apple")).isFalse();
        assertThat(open(NEXT, project, "google")).isEqualTo(CLIENT_SECRET);
        assertThat(openCaptcha(NEXT)).isEqualTo("of the captchas");
    }

    private String openCaptcha(String masterSecret) {
        var sealed = HexFormat.of()
                .parseHex(server.sql()
                        .texts(
                                "SELECT encode(sealed_secret, 'hex') FROM captcha_secrets WHERE project_id = ?::uuid",
                                project.id())
                        .get(0));
        var keys = new MasterKeys(MasterSecret.fromSetting(masterSecret), List.of());
        var opened = new Sealer(keys, "captcha secrets")
                .open(sealed, ("captcha secret " + project.id()).getBytes(StandardCharsets.UTF_8));
        return new String(opened, StandardCharsets.UTF_8);
    }

    private boolean isCaptchaSealedBy(String masterSecret) {
        try {
            return !openCaptcha(masterSecret).isEmpty();
        } catch (UnknownMasterSecretException notYet) {
            return false;
        }
    }

    private boolean isSealedBy(String masterSecret, TestProject of, String provider) {
        try {
            return open(masterSecret, of, provider).equals(CLIENT_SECRET);
        } catch (UnknownMasterSecretException notYet) {
            return false;
        }
    }

    private TestServer start(String secret, String previous) {
        return TestServer.startOn(
                server.databaseUrl(),
                Map.of("VESTIBULE_SECRET", secret, "VESTIBULE_PREVIOUS_SECRETS", previous),
                Clock.tickMillis(ZoneOffset.UTC));
    }
}
