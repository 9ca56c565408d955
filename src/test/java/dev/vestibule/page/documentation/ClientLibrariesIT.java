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

/** The libraries that most applications use sign in at the authorization server unmodified, by its issuer alone. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("It installs libraries, compiles and starts programs.")
class ClientLibrariesIT {
    private final TestServer server;

    ClientLibrariesIT(TestDatabase database) {
        server = GuideSamples.startServer(database);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void openidClientOfNodeSignsInRefreshesAndRevokes(@TempDir Path folder) throws Exception {
        GuideSamples.npm(folder, "openid-client@6.9.0");
        signsInRefreshesAndRevokes(
                folder, List.of("node", write(folder, "openid-client.mjs").toString()));
    }

    @Test
    void authlibOfPythonSignsInRefreshesAndRevokes(@TempDir Path folder) throws Exception {
        GuideSamples.pip(folder, "authlib==1.9.10", "requests==2.34.2");
        signsInRefreshesAndRevokes(
                folder, List.of("python3", write(folder, "authlib_client.py").toString()));
    }

    @Test
    void goOidcSignsInRefreshesAndRevokes(@TempDir Path folder) throws Exception {
        write(folder, "go-oidc.go");
        var program = GuideSamples.go(folder, "github.com/coreos/go-oidc/v3@v3.21.0", "golang.org/x/oauth2@v0.38.0");
        signsInRefreshesAndRevokes(folder, List.of(program));
    }

    private Path write(Path folder, String file) throws Exception {
        var to = folder.resolve(file);
        try (var program = Objects.requireNonNull(getClass().getResourceAsStream("/" + file))) {
            Files.copy(program, to);
        }
        return to;
    }

    /** As an application with a secret, and as one that can keep none. */
    private void signsInRefreshesAndRevokes(Path folder, List<String> command) throws Exception {
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
            var program = GuideSamples.start(folder, command, log, environment);
            Eventually.until(
                    "it knows the server",
                    () -> !program.isAlive() || GuideSamples.read(log).endsWith("\n"));
            assertThat(program.isAlive()).as(GuideSamples.read(log)).isTrue();
            var browser = new OauthBrowser(project);
            browser.authorize(URI.create(GuideSamples.read(log).strip()).getRawQuery());

            var result = GuideSamples.type(
                            program, log, onward(browser.signIn(email)).toString())
                    .expectSuccess();

            var last = result.output().lines().reduce((before, line) -> line).orElse("");
            assertThat(GuideSamples.parse(last))
                    .isEqualTo(GuideSamples.parse("{\"email\":\"" + email + "\",\"clientId\":\""
                            + client.text("clientId") + "\",\"refused\":401}"));
        }
    }
}
