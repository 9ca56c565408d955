package dev.vestibule.authentication.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpServer;
import dev.vestibule.fixture.Chromium;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithBrowser;
import dev.vestibule.fixture.WithServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Passkeys in a real browser with its authenticator; skipped if none is installed. */
@ExtendWith({WithServer.class, WithBrowser.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PasskeyInBrowserIT {
    /** Like the published SDKs: the options under {@code options}, bytes as base64url. */
    private static final String APP_PAGE = """
            <!DOCTYPE html><title>App</title><script>
            const bytes = text => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0));
            const text = buffer => btoa(String.fromCharCode(...new Uint8Array(buffer)))
                .replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=+$/, '');
            async function post(url, headers, body) {
              const answer = await fetch(url, {method: 'POST', credentials: 'include',
                headers: {'Content-Type': 'application/json', ...headers}, body: body && JSON.stringify(body)});
              return {status: answer.status, ...await answer.json()};
            }
            async function register(base, headers, rpId) {
              const {options} = await post(base + '/register/options', headers, {name: 'This browser'});
              if (rpId) options.rp.id = rpId;
              const made = await navigator.credentials.create({publicKey: {...options, challenge: bytes(options.challenge),
                user: {...options.user, id: bytes(options.user.id)},
                excludeCredentials: options.excludeCredentials.map(one => ({...one, id: bytes(one.id)}))}});
              return post(base + '/register/verify', headers, {id: made.id, rawId: text(made.rawId), type: made.type,
                response: {attestationObject: text(made.response.attestationObject),
                  clientDataJSON: text(made.response.clientDataJSON)}});
            }
            async function sign(base, headers, email) {
              const {options} = await post(base + '/authenticate/options', headers, email ? {email} : undefined);
              const got = await navigator.credentials.get({publicKey: {...options, challenge: bytes(options.challenge),
                allowCredentials: options.allowCredentials.map(one => ({...one, id: bytes(one.id)}))}});
              return {id: got.id, rawId: text(got.rawId), type: got.type, response: {
                authenticatorData: text(got.response.authenticatorData), clientDataJSON: text(got.response.clientDataJSON),
                signature: text(got.response.signature),
                userHandle: got.response.userHandle ? text(got.response.userHandle) : undefined}};
            }
            async function signIn(base, headers, email) {
              return post(base + '/authenticate/verify', headers, await sign(base, headers, email));
            }
            </script>""";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final TestServer server;
    private final Chromium chromium;
    private HttpServer allowed;
    private HttpServer foreign;
    private TestProject project;
    private String email;

    PasskeyInBrowserIT(Chromium chromium, TestServer server) {
        this.chromium = chromium;
        this.server = server;
    }

    @BeforeAll
    void start() throws IOException {
        allowed = serveApp();
        foreign = serveApp();
    }

    private static HttpServer serveApp() throws IOException {
        var app = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        app.createContext("/", exchange -> {
            var page = APP_PAGE.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        app.start();
        return app;
    }

    private static String origin(HttpServer app) {
        return "http://localhost:" + app.getAddress().getPort();
    }

    @AfterAll
    void stop() {
        allowed.stop(0);
        foreign.stop(0);
    }

    @BeforeEach
    void newProject() {
        project = server.newProject();
        project.asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of(origin(allowed))))
                .expect(200);
        email = TestServer.newEmail();
    }

    private Page open(HttpServer app) {
        var page = chromium.newPage();
        page.navigate(origin(app) + "/");
        return page;
    }

    private static JsonNode run(Page page, String script) {
        return MAPPER.valueToTree(page.evaluate(script));
    }

    private String base() {
        return server.api().base() + "/v1/auth/passkeys";
    }

    private JsonNode register(Page page, String more) {
        var token = project.signUp(email).accessToken();
        return run(
                page,
                "register('" + base() + "', {'x-api-key': '" + project.publishableKey() + "', Authorization: 'Bearer "
                        + token + "'}" + more + ").catch(failure => ({refused: failure.name}))");
    }

    private JsonNode signIn(Page page, String more) {
        return run(
                page,
                "signIn('" + base() + "', {'x-api-key': '" + project.publishableKey() + "'}" + more
                        + ").catch(failure => ({refused: failure.name}))");
    }

    @Test
    void aBrowserRegistersAPasskeyAndSignsInWithAndWithoutTheEmail() {
        var page = open(allowed);
        Chromium.addAuthenticator(page);
        var made = register(page, "");
        assertThat(made.path("status").asInt()).as(made.toString()).isEqualTo(200);
        assertThat(made.path("name").asText()).isEqualTo("This browser");

        for (var more : List.of("", ", '" + email + "'")) {
            var tokens = signIn(page, more);
            assertThat(tokens.path("status").asInt()).as(tokens.toString()).isEqualTo(200);
            assertThat(tokens.at("/user/email").asText()).isEqualTo(email);
            project.me(tokens.path("accessToken").asText()).expect(200);
        }
        page.context().close();
    }

    /** What an older security key creates: it stores nothing, so it has to be given its passkey's id. */
    @Test
    void aSecurityKeyWithoutStorageSignsInOnlyWithTheEmail() {
        var page = open(allowed);
        Chromium.addAuthenticatorWithoutStore(page);
        var made = register(page, "");
        assertThat(made.path("status").asInt()).as(made.toString()).isEqualTo(200);

        var tokens = signIn(page, ", '" + email + "'");
        assertThat(tokens.path("status").asInt()).as(tokens.toString()).isEqualTo(200);
        assertThat(tokens.at("/user/email").asText()).isEqualTo(email);
        page.context().close();
    }

    @Test
    void aBrowserOffersNoPasskeyToAnEmailThatHasNone() {
        var page = open(allowed);
        Chromium.addAuthenticator(page);
        register(page, "");
        assertThat(signIn(page, ", '" + TestServer.newEmail() + "'")
                        .path("refused")
                        .asText())
                .isEqualTo("NotAllowedError");
        page.context().close();
    }

    @Test
    void aBrowserDoesNotRegisterTheSamePasskeyTwice() {
        var page = open(allowed);
        Chromium.addAuthenticator(page);
        register(page, "");
        var token = project.signIn(email).accessToken();
        assertThat(run(
                                page,
                                "register('" + base() + "', {Authorization: 'Bearer " + token
                                        + "'}).catch(failure => failure.name)")
                        .asText())
                .isEqualTo("InvalidStateError");
        page.context().close();
    }

    /** Its origin is in the same domain, so the browser signs; but the project has not allowed it. */
    @Test
    void aPageOfAnotherOriginGetsNothing() {
        project.asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of(origin(allowed), origin(foreign))))
                .expect(200);
        var page = open(foreign);
        Chromium.addAuthenticator(page);
        assertThat(register(page, "").path("status").asInt()).isEqualTo(200);
        var signed = run(page, "sign('" + base() + "', {'x-api-key': '" + project.publishableKey() + "'})");
        project.asOwner("PATCH", "")
                .json(Map.of("allowedOrigins", List.of(origin(allowed))))
                .expect(200);
        assertThat(project.post("/v1/auth/passkeys/authenticate/verify")
                        .json(signed)
                        .expect(401)
                        .text("message"))
                .contains("origin");
        assertThat(signIn(page, "").path("refused").asText())
                .as("it cannot even call")
                .isEqualTo("TypeError");
        page.context().close();
    }

    @Test
    void aBrowserRefusesADomainThatIsNotThePagesOwn() {
        var page = open(allowed);
        Chromium.addAuthenticator(page);
        project.asOwner("PATCH", "")
                .json(Map.of("passkeyRpId", "example.com", "passkeyOrigins", List.of("https://example.com")))
                .expect(200);
        assertThat(register(page, "").path("refused").asText()).isEqualTo("SecurityError");
        page.context().close();
    }
}
