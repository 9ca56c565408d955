package dev.vestibule.authentication.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How many sign ins with providers may be in progress at once: 100,000 in a project, by default. */
@ExtendWith(WithServer.class)
class OpenSignInsIT {
    private static final String URL = "/v1/auth/oauth/github/url";
    private static final String OPEN = """
            INSERT INTO oauth_states (project_id, state_hash, provider, redirect_uri, flow, begun_at, expires_at, network)
            SELECT ?::uuid, sha256(convert_to(?::text || n, 'UTF8')), 'github', '', 'client', now(),
                   now() + interval '9 minutes', ?::bytea
            FROM generate_series(1, ?) AS n
            """;
    private static final String OWN = "\\x7f";
    private static final String OTHER = "\\x01020304";

    private final TestServer server;
    private final TestProject project;

    OpenSignInsIT(TestServer server) {
        this.server = server;
        this.project = withProvider(server);
    }

    private static TestProject withProvider(TestServer server) {
        var project = server.newProject();
        project.asOwner("PUT", "/providers/github")
                .json(Map.of("clientId", "an id", "clientSecret", "a secret", "enabled", true))
                .expect(200);
        project.asOwner("PATCH", "")
                .json(Map.of(
                        "callbackUrl",
                        "https://app.example.com/callback",
                        "allowedOrigins",
                        List.of("https://app.example.com")))
                .expect(200);
        return project;
    }

    private void open(String network, int count) {
        server.sql().update(OPEN, project.id(), network, network.isEmpty() ? null : network, count);
    }

    private Call ask() {
        return project.get(URL);
    }

    /** The back end asks for all its people, so that its network has no limit. */
    private Call askAsBackEnd() {
        return project.api().get(URL).key(project.secretKey());
    }

    @Test
    void aNetworkWithAHundredthOfThemAllGetsNoMoreAndKeepsNobodyElseOut() {
        open(OTHER, 1000);
        ask().expect(200);
        open(OWN, 1000);

        assertThat(ask().expect(503).header("Retry-After")).contains("60");

        askAsBackEnd().expect(200);
    }

    @Test
    void aNetworkGetsLessTheFewerAreLeft() {
        open(OWN, 500);
        ask().expect(200);
        open("", 60_000);

        ask().expect(503);
        askAsBackEnd().expect(200);
    }

    @Test
    void aFullProjectOpensNoMore() {
        open("", 110_000);

        assertThat(askAsBackEnd().expect(503).body()).contains("Too many sign ins are in progress");
        withProvider(server).get(URL).expect(200);
    }
}
