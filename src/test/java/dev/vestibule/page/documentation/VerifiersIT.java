package dev.vestibule.page.documentation;

import static dev.vestibule.page.documentation.GuideSamples.environment;
import static dev.vestibule.page.documentation.GuideSamples.listens;
import static dev.vestibule.page.documentation.GuideSamples.pip;
import static dev.vestibule.page.documentation.GuideSamples.read;
import static dev.vestibule.page.documentation.GuideSamples.tool;
import static dev.vestibule.page.documentation.GuideSamples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.FreePort;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The verifiers of src/verifiers, in the applications of their guide. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("It installs a library and compiles and starts programs of three languages.")
class VerifiersIT {
    private static final Path SOURCES = Path.of("src/verifiers");
    /**
     * Compiled at run time, as the verifiers are: the annotations of Spring's classes need more than our tests have.
     */
    private static final String SPRING_CHECK = """
            import dev.vestibule.verifier.RevocationList;
            import dev.vestibule.verifier.SpringRevocationValidator;
            import java.util.stream.Collectors;
            import org.springframework.security.oauth2.jwt.Jwt;

            public class SpringCheck {
                public static String errors(RevocationList list, String jti) {
                    var token = Jwt.withTokenValue("token").header("typ", "at+jwt").jti(jti).build();
                    return new SpringRevocationValidator(list)
                            .validate(token).getErrors().stream()
                                    .map(error -> error.getErrorCode())
                                    .collect(Collectors.joining());
                }
            }
            """;

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final TestServer server;
    private final TestProject project;
    private final String expired;
    private final Path javaClasses;

    VerifiersIT(TestDatabase database, @TempDir Path javaClasses) throws Exception {
        server = GuideSamples.startServer(database);
        project = server.newProject();
        expired = signUpByALateClock();
        this.javaClasses = javaClasses;
        compile(
                javaClasses,
                write(javaClasses, "RevocationApp.java"),
                write(javaClasses, "RevocationVertxApp.java"),
                Files.writeString(javaClasses.resolve("SpringCheck.java"), SPRING_CHECK));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    /** An application of the guide that is running. */
    private record App(Process process, ApiClient api) implements AutoCloseable {
        ApiClient.Response answer(String token) {
            return api.get("/").bearer(token).send();
        }

        /** The answer of an application that knows the list of a moment ago, which is late on a busy machine. */
        ApiClient.Response verdict(String token) {
            var last = new AtomicReference<>(answer(token));
            Eventually.until(
                    "the feed is read",
                    () -> last.get().status() != 503
                            || last.updateAndGet(unsure -> answer(token)).status() != 503);
            return last.get();
        }

        int status(String token) {
            return verdict(token).status();
        }

        boolean isUnsure(String token) {
            return answer(token).status() == 503;
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    private App start(Path folder, List<String> program, Map<String, String> more) throws Exception {
        var port = FreePort.find();
        var settings = new HashMap<>(environment(project));
        settings.put("PORT", Integer.toString(port));
        settings.putAll(more);
        var log = folder.resolve("log").toFile();
        var process = GuideSamples.start(folder, program, log, settings);
        Eventually.until("it listens", () -> listens(port) || !process.isAlive());
        assertThat(process.isAlive()).as(read(log)).isTrue();
        return new App(process, ApiClient.undescribed(URI.create("http://localhost:" + port)));
    }

    private static Path copy(Path folder, String file) throws Exception {
        var source = SOURCES.resolve(file);
        return Files.copy(source, folder.resolve(source.getFileName()));
    }

    private static List<String> node(Path folder) throws Exception {
        tool("node", "--version");
        copy(folder, "node/vestibule-verifier.mjs");
        return List.of("node", write(folder, "revocation-app.mjs").toString());
    }

    private static List<String> python(Path folder) throws Exception {
        pip(folder, "PyJWT[crypto]==2.15.1");
        copy(folder, "python/vestibule_verifier.py");
        return List.of("python3", write(folder, "revocation_app.py").toString());
    }

    private List<String> java(String sample) {
        return List.of(JAVA, "-cp", javaClasses + File.pathSeparator + System.getProperty("java.class.path"), sample);
    }

    private static void compile(Path folder, Path... more) throws Exception {
        try (var sources = Files.walk(SOURCES.resolve("java"))) {
            var options = List.of(
                    "--release",
                    "17",
                    "-Xlint:all,-serial,-processing,-classfile",
                    "-Werror",
                    "-proc:none",
                    "-d",
                    folder.toString(),
                    "-cp",
                    System.getProperty("java.class.path"));
            var files = Stream.concat(sources.filter(file -> file.toString().endsWith(".java")), Stream.of(more))
                    .map(Path::toString);
            var arguments = Stream.concat(options.stream(), files).toArray(String[]::new);
            assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments))
                    .isZero();
        }
    }

    @Test
    void theFeedIsAsShown(@TempDir Path folder) throws Exception {
        project.signOut(project.signUp().accessToken()).expect(200);
        GuideSamples.answer(folder, project, "list-revocations.sh");
    }

    @Test
    void nodeNoticesSignOuts(@TempDir Path folder) throws Exception {
        noticesSignOuts(folder, node(folder));
    }

    @Test
    void pythonNoticesSignOuts(@TempDir Path folder) throws Exception {
        noticesSignOuts(folder, python(folder));
    }

    @Test
    void javaNoticesSignOuts(@TempDir Path folder) throws Exception {
        noticesSignOuts(folder, java("RevocationApp"));
    }

    @Test
    void vertxNoticesSignOuts(@TempDir Path folder) throws Exception {
        noticesSignOuts(folder, java("RevocationVertxApp"));
    }

    private void noticesSignOuts(Path folder, List<String> program) throws Exception {
        var before = project.signUp();
        project.signOut(before.accessToken()).expect(200);
        var key =
                project.asOwner("POST", "/keys").json(Map.of("kind", "secret")).expect(201);
        try (var app = start(folder, program, Map.of("VESTIBULE_SECRET_KEY", key.text("key")))) {
            var user = project.signUp();
            var token = user.accessToken();
            var answer = app.verdict(token);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(user.text("user/id"));
            assertThat(app.status(before.accessToken()))
                    .as("ended before the start")
                    .isEqualTo(401);
            refusesWhatIsNotASessionsToken(app, token);

            project.signOut(token).expect(200);
            Eventually.until("the sign out is noticed", () -> app.status(token) == 401);

            var other = project.signUp().accessToken();
            assertThat(app.status(other)).isEqualTo(200);
            project.asOwner("DELETE", "/keys/" + key.text("id")).expect(200);
            Eventually.until("it trusts nothing without the feed", () -> app.isUnsure(other));
            assertThat(app.isUnsure(token)).isTrue();
        }
    }

    private void refusesWhatIsNotASessionsToken(App app, String token) {
        var signature = token.lastIndexOf('.') + 1;
        var forged = Map.of(
                "a forged signature",
                token.substring(0, signature) + "A".repeat(86),
                "no signature",
                "eyJhbGciOiJub25lIn0" + token.substring(token.indexOf('.'), signature),
                "another project",
                server.newProject().signUp().accessToken(),
                "a changed claim",
                Jwt.parse(token).claim("sub", "someone").text(),
                "no token",
                "nonsense",
                "an expired one",
                expired,
                "one of OAuth",
                oauthToken("https://api.example.com/" + UUID.randomUUID()));
        forged.forEach((what, bad) -> assertThat(app.status(bad)).as(what).isEqualTo(401));
        assertThat(app.api().get("/").send().status()).as("nothing").isEqualTo(401);
    }

    private String signUpByALateClock() {
        var late = Clock.offset(Clock.systemUTC(), Duration.ofHours(-2));
        var settings = Map.of("VESTIBULE_PUBLIC_URL", server.api().base().toString());
        try (var node = TestServer.startOn(server.databaseUrl(), settings, late)) {
            return project.at(node).signUp().accessToken();
        }
    }

    private String oauthToken(String api) {
        project.asOwner("POST", "/oauth-apis")
                .json(Map.of("uri", api, "name", "Orders", "scopes", List.of(Map.of("name", "orders:read"))))
                .expect(201);
        var service =
                OauthBrowser.register(project, "service", Map.of("apiScopes", Map.of(api, List.of("orders:read"))));
        var form = new HashMap<>(Map.of("grant_type", "client_credentials"));
        form.put("client_id", service.text("clientId"));
        form.put("client_secret", service.text("clientSecret"));
        return OauthBrowser.token(project, form, 200).text("access_token");
    }

    private void revoke(String oauthToken) {
        server.sql()
                .update(
                        "DELETE FROM oauth_grants WHERE project_id = ?::uuid AND id = ?::uuid",
                        project.id(),
                        Jwt.parse(oauthToken).claims().path("jti").asText().split("\\.", 2)[0]);
    }

    @Test
    void nodeTakesTheTokensOfOneApi(@TempDir Path folder) throws Exception {
        takesTheTokensOfOneApi(folder, node(folder));
    }

    @Test
    void pythonTakesTheTokensOfOneApi(@TempDir Path folder) throws Exception {
        takesTheTokensOfOneApi(folder, python(folder));
    }

    private void takesTheTokensOfOneApi(Path folder, List<String> program) throws Exception {
        var api = "https://api.example.com/" + UUID.randomUUID();
        var token = oauthToken(api);
        try (var app = start(folder, program, Map.of("AUDIENCE", api))) {
            assertThat(app.status(token)).isEqualTo(200);
            assertThat(app.status(oauthToken(api + "/other"))).isEqualTo(401);
            assertThat(app.status(project.signUp().accessToken())).isEqualTo(401);
            revoke(token);
            Eventually.until("it is revoked", () -> app.status(token) == 401);
        }
    }

    @Test
    void javaTakesTheTokensOfOneApiAndSpringRefusesRevokedOnes() throws Exception {
        var api = "https://api.example.com/" + UUID.randomUUID();
        var token = oauthToken(api);
        try (var loader = new URLClassLoader(
                new URL[] {javaClasses.toUri().toURL()}, getClass().getClassLoader())) {
            var listType = loader.loadClass("dev.vestibule.verifier.RevocationList");
            var verifierType = loader.loadClass("dev.vestibule.verifier.TokenVerifier");
            try (var list = (AutoCloseable) listType.getConstructor(String.class, String.class)
                    .newInstance(server.api().base().toString(), project.secretKey())) {
                listType.getMethod("await", Duration.class).invoke(list, Duration.ofSeconds(10));
                var verifier = verifierType
                        .getMethod("ofApi", String.class, String.class, String.class, listType)
                        .invoke(null, server.api().base().toString(), project.id(), api, list);
                var verify = verifierType.getMethod("verify", String.class);
                var spring = loader.loadClass("SpringCheck").getMethod("errors", listType, String.class);

                Eventually.until(
                        "it is taken", () -> outcome(verify, verifier, token).equals(api));
                Eventually.until(
                        "Spring takes it", () -> errors(spring, list, token).isEmpty());
                for (var other :
                        List.of(oauthToken(api + "/other"), project.signUp().accessToken())) {
                    assertThatThrownBy(() -> verify.invoke(verifier, other)).hasCauseInstanceOf(Exception.class);
                }
                revoke(token);
                Eventually.until(
                        "it is revoked", () -> errors(spring, list, token).equals("invalid_token"));
                Eventually.until(
                        "it says why", () -> outcome(verify, verifier, token).equals("revoked"));
                listType.getMethod("close").invoke(list);
                Eventually.until(
                        "it trusts nothing", () -> errors(spring, list, token).equals("temporarily_unavailable"));
            }
        }
    }

    /** The audience of a token, or why it is refused, which is that nobody can be sure while the feed is late. */
    private static String outcome(Method verify, Object verifier, String token) {
        try {
            return String.join(" ", ((JWTClaimsSet) verify.invoke(verifier, token)).getAudience());
        } catch (InvocationTargetException refused) {
            return String.valueOf(refused.getCause().getMessage());
        } catch (IllegalAccessException failure) {
            throw new LinkageError(failure.toString(), failure);
        }
    }

    private static String errors(Method spring, Object list, String token) {
        try {
            return (String) spring.invoke(
                    null, list, Jwt.parse(token).claims().path("jti").asText());
        } catch (ReflectiveOperationException failure) {
            throw new LinkageError(failure.toString(), failure);
        }
    }

    @Test
    void nodeAsksTheServerWhenTheFeedIsSilent(@TempDir Path folder) throws Exception {
        asksWhenSilent(folder, node(folder));
    }

    @Test
    void pythonAsksTheServerWhenTheFeedIsSilent(@TempDir Path folder) throws Exception {
        asksWhenSilent(folder, python(folder));
    }

    @Test
    void javaAsksTheServerWhenTheFeedIsSilent(@TempDir Path folder) throws Exception {
        asksWhenSilent(folder, java("RevocationApp"));
    }

    private void asksWhenSilent(Path folder, List<String> program) throws Exception {
        var key =
                project.asOwner("POST", "/keys").json(Map.of("kind", "secret")).expect(201);
        var settings = Map.of("VESTIBULE_SECRET_KEY", key.text("key"), "WHEN_SILENT", "ask");
        try (var app = start(folder, program, settings)) {
            var token = project.signUp().accessToken();
            assertThat(app.status(token)).isEqualTo(200);
            project.asOwner("DELETE", "/keys/" + key.text("id")).expect(200);

            project.signOut(token).expect(200);

            Eventually.until("the server says so", () -> app.status(token) == 401);
            assertThat(app.status(project.signUp().accessToken())).isEqualTo(200);
            assertThat(app.status(server.newProject().signUp().accessToken()))
                    .as("another project")
                    .isEqualTo(401);
        }
    }
}
