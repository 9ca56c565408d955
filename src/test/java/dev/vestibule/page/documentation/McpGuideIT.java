package dev.vestibule.page.documentation;

import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.parameter;
import static dev.vestibule.fixture.OauthBrowser.redeem;
import static dev.vestibule.fixture.OauthBrowser.register;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs the samples of the guide to MCP servers. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("It installs a library and starts a program.")
class McpGuideIT {
    private final TestServer server;

    McpGuideIT(TestDatabase database) {
        server = GuideSamples.startServer(database);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void anAgentFindsTheProjectAndGetsATokenForThisServerAlone(@TempDir Path folder) throws Exception {
        GuideSamples.npm(folder, "jose@6.2.3");
        var project = server.newProject();
        var port = FreePort.find();
        var resource = "http://127.0.0.1:" + port + "/mcp";
        GuideSamples.run(folder, project, "create-api.sh", resource).expectSuccess();
        var environment = new HashMap<>(GuideSamples.environment(project));
        environment.put("RESOURCE", resource);
        var log = new File(folder.toFile(), "server.log");
        var program = GuideSamples.start(folder, GuideSamples.command(folder, "mcp-server.mjs"), log, environment);
        try {
            Eventually.until("the server listens", () -> GuideSamples.listens(port));
            var refused = get(resource, "");
            assertThat(refused.statusCode()).isEqualTo(401);
            var challenge = refused.headers().firstValue("WWW-Authenticate").orElseThrow();
            var metadata = GuideSamples.parse(get(challenge.replaceAll(".*resource_metadata=\"([^\"]+)\".*", "$1"), "")
                    .body());
            var issuer = metadata.path("authorization_servers").path(0).asText();
            var found =
                    GuideSamples.parse(get(issuer.replace("/v1/", "/.well-known/oauth-authorization-server/v1/"), "")
                            .body());
            assertThat(found.path("issuer").asText()).isEqualTo(issuer);

            var client = register(project, "native", Map.of()).text("clientId");
            var email = TestServer.newEmail();
            var user = project.signUp(email).text("user/id");
            var browser = new OauthBrowser(project);
            browser.authorize(client, Map.of("resource", resource, "scope", "notes:read"));
            var tokens = redeem(project, client, parameter(onward(browser.signIn(email)), "code"), 200);
            var token = tokens.text("access_token");
            assertThat(get(resource, token).body()).contains(user);
            assertThat(get(resource, project.signIn(email).accessToken()).statusCode())
                    .isEqualTo(401);

            var api = register(project, "api", Map.of("resource", resource));
            assertThat(introspect(folder, project, api, token)).contains("\"active\":true");
            OauthBrowser.post(project, "/oauth/revoke", Map.of("client_id", client, "token", token), 200);
            assertThat(introspect(folder, project, api, token)).contains("\"active\":false");
        } finally {
            program.destroy();
        }
    }

    private static String introspect(
            Path folder,
            dev.vestibule.fixture.TestProject project,
            dev.vestibule.fixture.ApiClient.Response api,
            String token)
            throws Exception {
        return GuideSamples.run(folder, project, "introspect.sh", api.text("clientId"), api.text("clientSecret"), token)
                .expectSuccess()
                .output();
    }

    private static HttpResponse<String> get(String url, String token) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }
}
