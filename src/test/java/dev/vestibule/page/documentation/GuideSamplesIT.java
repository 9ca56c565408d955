package dev.vestibule.page.documentation;

import static dev.vestibule.page.documentation.GuideSamples.environment;
import static dev.vestibule.page.documentation.GuideSamples.go;
import static dev.vestibule.page.documentation.GuideSamples.jar;
import static dev.vestibule.page.documentation.GuideSamples.listens;
import static dev.vestibule.page.documentation.GuideSamples.npm;
import static dev.vestibule.page.documentation.GuideSamples.pip;
import static dev.vestibule.page.documentation.GuideSamples.read;
import static dev.vestibule.page.documentation.GuideSamples.tool;
import static dev.vestibule.page.documentation.GuideSamples.write;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.standardwebhooks.Webhook;
import dev.vestibule.config.Settings;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.TestWebhook;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.oauth.catalogue.Catalogue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs the samples of the guides that are in four languages, and the first steps; {@link GuideSamples} has all. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("It installs libraries of four languages and compiles programs.")
class GuideSamplesIT {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final TestServer server;
    private final String url;
    private final TestProject project;
    private final String userId;
    private final String token;

    GuideSamplesIT(TestDatabase database) {
        server = GuideSamples.startServer(database);
        url = server.api().base().toString();
        project = server.newProject();
        var user = project.signUp();
        userId = user.text("user/id");
        token = user.accessToken();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    // Verify tokens

    @Test
    void nodeVerifiesTokens(@TempDir Path folder) throws Exception {
        npm(folder, "jose@6.2.3");
        verifies(folder, List.of("node", write(folder, "verify-token.mjs").toString()));
    }

    @Test
    void pythonVerifiesTokens(@TempDir Path folder) throws Exception {
        pip(folder, "PyJWT[crypto]==2.15.1");
        verifies(folder, List.of("python3", write(folder, "verify_token.py").toString()));
    }

    @Test
    void goVerifiesTokens(@TempDir Path folder) throws Exception {
        write(folder, "verify_token.go");
        verifies(
                folder,
                List.of(go(folder, "github.com/golang-jwt/jwt/v5@v5.3.1", "github.com/MicahParks/keyfunc/v3@v3.9.1")));
    }

    @Test
    void javaVerifiesTokens(@TempDir Path folder) throws Exception {
        var file = write(folder, "VerifyToken.java").toString();
        verifies(folder, List.of(JAVA, "-cp", jar(JWTClaimsSet.class), file));
    }

    @Test
    void aShellCallsThisServer(@TempDir Path folder) throws Exception {
        tool("curl", "--version");
        verifies(folder, List.of("sh", "-eu", write(folder, "ask-server.sh").toString()));
    }

    /**
     * A valid token identifies the user; a forged one, one of another project and one without a signature are refused.
     */
    private void verifies(Path folder, List<String> program) throws Exception {
        var good = run(folder, program, token);
        assertThat(good.status()).as(good.output()).isZero();
        assertThat(good.output()).contains(userId);

        var signature = token.lastIndexOf('.') + 1;
        refuses(folder, program, "a forged signature", token.substring(0, signature) + "A".repeat(86));
        refuses(
                folder,
                program,
                "no signature",
                "eyJhbGciOiJub25lIn0" + token.substring(token.indexOf('.'), signature));
        refuses(folder, program, "another project", server.newProject().signUp().accessToken());
        refuses(folder, program, "no token", "nonsense");
    }

    private void refuses(Path folder, List<String> program, String what, String bad) throws Exception {
        var result = run(folder, program, bad);
        assertThat(result.status()).as("%s: %s", what, result.output()).isNotZero();
        assertThat(result.output()).as(what).doesNotContain(userId);
    }

    // Sign-in page

    @Test
    void aNodeApplicationSignsItsUsersInOnThePage(@TempDir Path folder) throws Exception {
        try (var app = startApplication(folder, Map.of())) {
            var ann = new GuideVisitor();
            assertThat(ann.open(app.at("/")).body()).contains("href=\"/login\"");
            var page = ann.open(app.at("/login"));
            assertThat(page.uri().toString()).startsWith(url + "/p/");
            var wrong = ann.signIn(page, app.email, "another password");
            assertThat(wrong.body()).contains("The email or the password is wrong.");
            var back = GuideVisitor.onward(ann.signIn(wrong, app.email, TestProject.PASSWORD));
            assertThat(back.toString()).startsWith(app.at("/signed-in?code=").toString());

            var other = new GuideVisitor();
            assertThat(other.open(back).statusCode()).as("began nothing").isEqualTo(400);
            other.open(app.at("/login"));
            assertThat(other.open(back).statusCode()).as("another state").isEqualTo(400);
            assertThat(other.open(app.at("/")).body()).contains("Sign in");

            assertThat(ann.open(back).body()).isEqualTo("You are " + app.email);
            assertThat(ann.open(back).statusCode()).as("a second time").isEqualTo(400);
            assertThat(ann.open(app.at("/")).body()).isEqualTo("You are " + app.email);
            assertThat(ann.open(app.at("/constructor")).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aMadeUpCodeSignsNobodyIn(@TempDir Path folder) throws Exception {
        try (var app = startApplication(folder, Map.of())) {
            var visitor = new GuideVisitor();
            var back = GuideVisitor.onward(
                    visitor.signIn(visitor.open(app.at("/login")), app.email, TestProject.PASSWORD));
            var invented = back.toString().replaceFirst("code=[^&]*", "code=" + "A".repeat(43));

            var answer = visitor.open(URI.create(invented));

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).startsWith("That did not work.");
            assertThat(visitor.open(app.at("/")).body()).contains("Sign in");
        }
    }

    @Test
    void aVisitToTheBareUrlLeadsToTheApplicationWhichStartsItsOwnSignIn(@TempDir Path folder) throws Exception {
        var own = server.newProject();
        var slug = own.asOwner("GET", "").expect(200).text("slug");
        try (var app = startApplication(folder, own, Map.of())) {
            var ann = new GuideVisitor();
            var page = ann.open(URI.create(url + "/p/" + slug + "/"));
            var back = GuideVisitor.onward(ann.signIn(page, app.email, TestProject.PASSWORD));
            assertThat(back).isEqualTo(app.at("/signed-in"));

            assertThat(ann.open(back).uri().toString()).startsWith(url + "/p/" + slug + "/?request=");
            assertThat(ann.open(app.at("/")).body()).contains("Sign in");
        }
    }

    @Test
    void thePageIsServedUnderAnotherHostNameByAProxy(@TempDir Path folder) throws Exception {
        var apart = server.newProject();
        var slug = apart.asOwner("GET", "").expect(200).text("slug");
        apart.asOwner("PATCH", "")
                .json(Map.of("passkeyRpId", "localhost", "passkeyOrigins", List.of(url)))
                .expect(200);
        try (var proxy = new FolderProxy(url + "/p/" + slug + "/");
                var app = startApplication(
                        folder, apart, Map.of("SIGN_IN_PAGE", proxy.root().toString()))) {
            var ann = new GuideVisitor();
            var page = ann.open(app.at("/login"));

            assertThat(page.uri().toString()).startsWith(proxy.root() + "?request=");
            assertThat(page.body())
                    .as("its script shows the passkeys at this origin alone")
                    .containsPattern("id=\"passkey\" data-origin=\"" + Pattern.quote(url) + "\" hidden");
            for (var found : GuideVisitor.references(page)) {
                if (found.toString().matches(".*/(?:passkey|show-password)\\.js")) {
                    assertThat(ann.open(found).statusCode()).isEqualTo(404);
                } else {
                    assertThat(ann.open(found).statusCode())
                            .as(found.toString())
                            .isEqualTo(200);
                }
            }
            var back = GuideVisitor.onward(ann.signIn(page, app.email, TestProject.PASSWORD));
            assertThat(ann.open(back).body()).isEqualTo("You are " + app.email);
        }
    }

    @Test
    void aShellSignsInOnThePage(@TempDir Path folder) throws Exception {
        tool("curl", "--version");
        tool("openssl", "version");
        var own = server.newProject();
        var callback = GuideSamples.run(
                folder, List.of("sh", "-eu", write(folder, "set-callback.sh").toString()), environment(own));
        assertThat(callback.status()).as(callback.output()).isZero();
        var email = TestServer.newEmail();
        own.signUp(email);
        var program = List.of("sh", "-eu", write(folder, "hosted-page.sh").toString());

        var good = exchange(folder, program, own, email, "");
        assertThat(good.status()).as(good.output()).isZero();
        assertThat(good.output()).contains("\"accessToken\":\"", email);
        var another = exchange(folder, program, own, email, "x");
        assertThat(another.status()).as(another.output()).isNotZero();
        assertThat(another.output()).doesNotContain("accessToken");
    }

    /** Runs the script, signs in at the URL that it prints, and passes it the URL where the browser ends. */
    private static GuideSamples.Result exchange(
            Path folder, List<String> program, TestProject own, String email, String behindTheAddress)
            throws Exception {
        var log = Files.createTempFile("sample", ".log");
        var process = GuideSamples.start(folder, program, log.toFile(), environment(own));
        try {
            Eventually.until("it prints an address", () -> read(log.toFile()).contains("\"}") || !process.isAlive());
            var printed = Pattern.compile("\"url\":\"([^\"]*)\"").matcher(Files.readString(log));
            assertThat(printed.find()).as(Files.readString(log)).isTrue();
            var visitor = new GuideVisitor();
            var page = visitor.open(URI.create(printed.group(1)));
            var back = GuideVisitor.onward(visitor.signIn(page, email, TestProject.PASSWORD));
            assertThat(back.toString()).startsWith("http://localhost:3000/signed-in?code=");
            return GuideSamples.type(process, log.toFile(), back + behindTheAddress);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The application of the guide, with a user who can sign in there. */
    private record Application(Process process, int port, String email) implements AutoCloseable {
        private URI at(String path) {
            return URI.create("http://localhost:" + port + path);
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    private Application startApplication(Path folder, Map<String, String> more) throws Exception {
        return startApplication(folder, server.newProject(), more);
    }

    private Application startApplication(Path folder, TestProject own, Map<String, String> more) throws Exception {
        tool("node", "--version");
        var port = FreePort.find();
        var address = "http://localhost:" + port;
        var email = TestServer.newEmail();
        own.signUp(email);
        own.asOwner("PATCH", "")
                .json(Map.of("callbackUrl", address + "/signed-in"))
                .expect(200);
        var settings = new HashMap<>(environment(own));
        settings.putAll(Map.of("PORT", Integer.toString(port), "APP_URL", address));
        settings.putAll(more);
        var log = folder.resolve("log").toFile();
        var process = GuideSamples.start(
                folder, List.of("node", write(folder, "sign-in-app.mjs").toString()), log, settings);
        Eventually.until("it listens", () -> listens(port) || !process.isAlive());
        assertThat(process.isAlive()).as(read(log)).isTrue();
        return new Application(process, port, email);
    }

    // Webhooks

    @Test
    void nodeVerifiesDeliveries(@TempDir Path folder) throws Exception {
        npm(folder, "standardwebhooks@1.1.0");
        receives(folder, List.of("node", write(folder, "webhook.mjs").toString()));
    }

    @Test
    void pythonVerifiesDeliveries(@TempDir Path folder) throws Exception {
        pip(folder, "standardwebhooks==1.1.0");
        receives(folder, List.of("python3", write(folder, "webhook.py").toString()));
    }

    @Test
    void goVerifiesDeliveries(@TempDir Path folder) throws Exception {
        write(folder, "webhook.go");
        receives(folder, List.of(go(folder, "github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1")));
    }

    @Test
    void javaVerifiesDeliveries(@TempDir Path folder) throws Exception {
        var file = write(folder, "WebhookReceiver.java").toString();
        receives(folder, List.of(JAVA, "-cp", jar(Webhook.class), file));
    }

    /** The program accepts a delivery; it refuses the same request with another body, or without a signature. */
    private void receives(Path folder, List<String> program) throws Exception {
        var port = FreePort.find();
        var endpoint = URI.create("http://localhost:" + port + "/");
        var webhook = TestWebhook.create(server, server.newProject(), endpoint.toString());
        var log = folder.resolve("log").toFile();
        var process = GuideSamples.start(
                folder,
                program,
                log,
                Map.of("PORT", Integer.toString(port), "WEBHOOK_SECRET", webhook.signingSecret()));
        try {
            Eventually.until("it listens", () -> listens(port) || !process.isAlive());
            assertThat(process.isAlive()).as(Files.readString(log.toPath())).isTrue();
            webhook.call("POST", "/test").json(Map.of()).expect(200);
            Eventually.until(
                    "the delivery is taken",
                    () -> webhook.call("GET", "/deliveries").expect(200).body().contains("\"delivered\""));
            Eventually.until("the program logs it", () -> read(log).contains("webhook.test"));
            assertThat(post(endpoint, Map.of())).isEqualTo(400);
            assertThat(post(
                            endpoint,
                            Map.of(
                                    "webhook-id", "msg_1",
                                    "webhook-timestamp", Long.toString(System.currentTimeMillis() / 1000),
                                    "webhook-signature", "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=")))
                    .isEqualTo(400);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    private static int post(URI endpoint, Map<String, String> headers) throws Exception {
        var request = HttpRequest.newBuilder(endpoint).POST(BodyPublishers.ofString("{\"type\":\"user.deleted\"}"));
        headers.forEach(request::header);
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request.build(), BodyHandlers.discarding())
                .statusCode();
    }

    // Shell samples, and settings files

    /** The sources of these tests name each sample that they run. */
    @Test
    void everySampleIsRun() throws IOException {
        var sources = new StringBuilder();
        for (var test : List.of(
                GuideSamplesIT.class,
                SignInGuidesIT.class,
                BackEndGuidesIT.class,
                McpGuideIT.class,
                VerifiersIT.class)) {
            var file = test.getName().replace('.', '/') + ".java";
            sources.append(Files.readString(Path.of("src/test/java", file)));
        }
        assertThat(GuideSamples.names())
                .hasSizeGreaterThan(40)
                .allSatisfy(name -> assertThat(sources).contains('"' + name + '"'));
    }

    @Test
    void theFirstStepsVerifyATokenOnANewServer(TestDatabase database, @TempDir Path folder) throws Exception {
        tool("curl", "--version");
        try (var fresh = TestServer.start(database, Map.of())) {
            var file = write(folder, "first-steps.sh").toString();
            var result = GuideSamples.run(
                    folder,
                    List.of("sh", "-eu", file),
                    Map.of("VESTIBULE_URL", fresh.api().base().toString()));
            assertThat(result.status()).as(result.output()).isZero();
            assertThat(result.output()).contains("\"valid\":true");
        }
    }

    @Test
    void aWebhookIsCreatedAndAProviderSetAsShown(@TempDir Path folder) throws Exception {
        tool("curl", "--version");
        var webhook = run(
                folder, List.of("sh", "-eu", write(folder, "create-webhook.sh").toString(), "http://127.0.0.1:9/"));
        assertThat(webhook.status()).as(webhook.output()).isZero();
        assertThat(webhook.output()).contains("\"signingSecret\":\"whsec_");

        var provider = run(
                folder, List.of("sh", "-eu", write(folder, "set-provider.sh").toString()));
        assertThat(provider.status()).as(provider.output()).isZero();
        assertThat(provider.output()).contains("\"provider\":\"google\"");
    }

    @Test
    void theServerAcceptsTheSettingsAndProvidersOfTheGuides(@TempDir Path folder) throws IOException {
        var settings = Settings.load(Optional.of(write(folder, "vestibule.yaml")), Map.of(), folder);
        assertThat(settings.http().host()).isEqualTo("127.0.0.1");
        var named = Settings.load(Optional.of(write(folder, "administrators.yaml")), Map.of(), folder);
        assertThat(named.dashboard().administrators()).hasSize(2);

        var catalogue = Catalogue.read(Optional.of(write(folder, "providers.yaml")));
        assertThat(catalogue.find(catalogue.provider("staff"))).isPresent();
    }

    @Test
    void everyProviderOfTheCatalogueHasItsRow() {
        var guide = Guides.resource("sign-in-providers.md");
        assertThat(Catalogue.read(Optional.empty()).providers())
                .isNotEmpty()
                .allSatisfy(
                        provider -> assertThat(guide).containsPattern("\\| [^|]+ \\| `" + provider.name() + "` \\|"));
    }

    private GuideSamples.Result run(Path folder, List<String> program, String... arguments) throws Exception {
        var line = new ArrayList<>(program);
        line.addAll(List.of(arguments));
        return GuideSamples.run(folder, line, environment(project));
    }
}
