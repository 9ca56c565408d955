package dev.vestibule.page.documentation;

import static dev.vestibule.fixture.OauthBrowser.APP;
import static dev.vestibule.fixture.OauthBrowser.issuerPath;
import static dev.vestibule.fixture.OauthBrowser.onward;
import static dev.vestibule.fixture.OauthBrowser.register;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The clients that are certified for JavaScript sign in at the authorization server unmodified. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("It installs a library and starts programs.")
class NodeClientIT {
    private static final String PROGRAM = "openid-client.mjs";

    private final TestServer server;

    NodeClientIT(TestDatabase database) {
        server = GuideSamples.startServer(database);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void openidClientSignsInRefreshesAndRevokes(@TempDir Path folder) throws Exception {
        GuideSamples.npm(folder, "openid-client@6.9.0");
        try (var program = Objects.requireNonNull(getClass().getResourceAsStream("/" + PROGRAM))) {
            Files.copy(program, folder.resolve(PROGRAM));
        }
        var project = server.newProject();
        var email = TestServer.newEmail();
        project.signUp(email);
        for (var kind : List.of("web", "spa")) {
            var client = register(project, kind, Map.of());
            var environment = new HashMap<>(Map.of(
                    "ISSUER",
                    project.api().base() + issuerPath(project),
                    "CLIENT_ID",
                    client.text("clientId"),
                    "REDIRECT_URI",
                    APP));
            if (kind.equals("web")) {
                environment.put("CLIENT_SECRET", client.text("clientSecret"));
            }
            var log = new File(folder.toFile(), kind + ".log");
            var line = List.of("node", folder.resolve(PROGRAM).toString());
            var program = GuideSamples.start(folder, line, log, environment);
            Eventually.until(
                    "it knows the server",
                    () -> !program.isAlive() || GuideSamples.read(log).endsWith("\n"));
            assertThat(program.isAlive()).as(GuideSamples.read(log)).isTrue();
            var browser = new OauthBrowser(project);
            browser.authorize(URI.create(GuideSamples.read(log).strip()).getRawQuery());

            var result = GuideSamples.type(
                            program, log, onward(browser.signIn(email)).toString())
                    .expectSuccess();

            assertThat(result.output())
                    .endsWith("{\"email\":\"" + email + "\",\"clientId\":\"" + client.text("clientId")
                            + "\",\"refused\":401}\n");
        }
    }
}
