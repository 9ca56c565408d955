package dev.vestibule.oauth.identity;

import static dev.vestibule.fixture.OauthProject.newSubject;
import static dev.vestibule.fixture.OauthProject.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithProvider;
import dev.vestibule.fixture.WithProvider.OauthWorld;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithProvider.class)
class GetProviderTokensIT {
    private static final String FIRST = "the first master secret of more than 32 bytes";
    private static final String NEXT = "the master secret after it of more than 32 bytes";

    private final OauthWorld world;
    private final OauthProject app;
    private final String subject = newSubject();

    GetProviderTokensIT(OauthWorld world) {
        this.world = world;
        this.app = world.newProject();
    }

    private String signIn() {
        return app.signIn(subject, verified("ann@example.com")).expect(200).text("user/id");
    }

    private Call tokens(String user, String provider) {
        return app.project().manage("GET", "/v1/dashboard/users/" + user + "/providers/" + provider + "/tokens");
    }

    private List<String> stored() {
        return world.server()
                .sql()
                .texts(
                        "SELECT sealed_tokens FROM identities WHERE project_id = ?::uuid AND sealed_tokens IS NOT NULL",
                        app.project().id());
    }

    @Test
    void noTokensAreStoredUnlessTheProjectAsksForIt() {
        tokens(signIn(), "oidc").expect(404);
        assertThat(stored()).isEmpty();
    }

    @Test
    void theLatestTokensAreStoredSealed() {
        app.setUp(Map.of("storeTokens", true));
        var user = signIn();
        var first = tokens(user, "oidc").expect(200).accessToken();
        var row = stored();
        signIn();

        assertThat(first).startsWith("eyJ");
        assertThat(row).hasSize(1).allMatch(text -> !text.contains(hex(first.substring(0, 20))));
        assertThat(tokens(user, "oidc").expect(200).accessToken()).isNotEqualTo(first);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void afterTheProjectStopsStoringTokensTheNextSignInDeletesThem() {
        app.setUp(Map.of("storeTokens", true));
        var user = signIn();
        app.setUp(Map.of("storeTokens", false));
        signIn();
        tokens(user, "oidc").expect(404);
        assertThat(stored()).isEmpty();
    }

    @Test
    void storedTokensSurviveANewMasterSecret() {
        try (var first = OauthWorld.start(world.database(), Map.of("VESTIBULE_SECRET", FIRST))) {
            var there = first.newProject();
            there.setUp(Map.of("storeTokens", true));
            var user = there.signIn(subject, Map.of()).expect(200).text("user/id");
            var path = "/v1/dashboard/users/" + user + "/providers/oidc/tokens";
            var kept = there.project().manage("GET", path).expect(200).body();
            try (var next = startOn(first, Map.of("VESTIBULE_SECRET", NEXT, "VESTIBULE_PREVIOUS_SECRETS", FIRST))) {
                Eventually.until("they are sealed again", () -> isOpenTo(first, NEXT));
                assertThat(there.project()
                                .at(next)
                                .manage("GET", path)
                                .expect(200)
                                .body())
                        .isEqualTo(kept);
            }
            assertThat(isOpenTo(first, NEXT)).isTrue();
        }
    }

    private static TestServer startOn(OauthWorld world, Map<String, String> settings) {
        return TestServer.startOn(world.server().databaseUrl(), settings, Clock.tickMillis(ZoneOffset.UTC));
    }

    private static String sealed(OauthWorld in) {
        return in.server()
                .sql()
                .texts("SELECT encode(sealed_tokens, 'hex') FROM identities")
                .get(0);
    }

    private static boolean isOpenTo(OauthWorld world, String masterSecret) {
        var prefix = new Sealer(
                        new MasterKeys(
                                MasterSecret.fromSetting("a master secret of 32 bytes or more"),
                                List.of(MasterSecret.fromSetting(masterSecret))),
                        "provider tokens")
                .outdatedPrefixes()
                .get(0);
        return sealed(world).startsWith(HexFormat.of().formatHex(prefix));
    }

    @Test
    void unlinkingDeletesTheStoredTokens() {
        app.setUp(Map.of("storeTokens", true));
        var signedUp = app.project().signUp(TestServer.newEmail());
        var url = app.askUrl().bearer(signedUp.accessToken()).expect(200);
        world.server()
                .api()
                .post("/v1/auth/me/providers/oidc")
                .bearer(signedUp.accessToken())
                .json(app.login(url, subject, Map.of()))
                .expect(200);
        tokens(signedUp.text("user/id"), "oidc").expect(200);
        world.server()
                .api()
                .call("DELETE", "/v1/auth/me/providers/oidc")
                .bearer(signedUp.accessToken())
                .expect(200);
        assertThat(stored()).isEmpty();
    }

    @Test
    void onlyServersOfTheProjectReadTheTokens() {
        app.setUp(Map.of("storeTokens", true));
        var user = signIn();
        var path = "/v1/dashboard/users/" + user + "/providers/oidc/tokens";
        app.project().get(path).expect(403);
        world.newProject().project().manage("GET", path).expect(404);
        tokens(user, "github").expect(404);
        tokens(user, "%00").expect(404);
        tokens(UUID.randomUUID().toString(), "oidc").expect(404);
        tokens("no-id", "oidc").expect(404);
    }
}
