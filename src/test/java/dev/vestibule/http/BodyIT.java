package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How every operation that needs a body handles a bad one; one that is well-formed but incomplete is at most a 422. */
@ExtendWith(WithServer.class)
class BodyIT {
    private final TestServer server;
    private final TestProject project;

    BodyIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    /** With all the credentials that the operation asks for. */
    private Call call(String method, String path, String credential) {
        var call = server.api().call(method, path);
        return switch (credential) {
            case "key" -> call.key(project.publishableKey());
            case "token" -> call.bearer(project.signUp().accessToken());
            case "dashboard" -> call.bearer(server.newDashboardUser());
            default -> call;
        };
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/auth/signup, key",
        "POST, /v1/auth/signin, key",
        "POST, /v1/auth/token/refresh, key",
        "POST, /v1/auth/refresh, key",
        "POST, /v1/auth/refresh, none",
        "PATCH, /v1/auth/me, token",
        "POST, /v1/dashboard/auth/register, none",
        "POST, /v1/dashboard/auth/login, none",
        "POST, /v1/dashboard/projects, dashboard"
    })
    void aBodyThatIsNotAJsonObjectIsABadRequest(String method, String path, String credential) {
        call(method, path, credential).expect(400);
        call(method, path, credential)
                .header("Content-Type", "application/json")
                .expect(400);
        for (var body : noObjects()) {
            call(method, path, credential).text(body).expect(400);
        }
    }

    static List<String> noObjects() {
        return List.of(
                "",
                "   ",
                "{",
                "}",
                "[]",
                "[{}]",
                "\"text\"",
                "42",
                "true",
                "null",
                "nonsense",
                "{'email':'single'}",
                "{email:1}",
                "{\"a\":1,}",
                "{\"a\":NaN}",
                "{\"a\":01}",
                "{\"a\":1} // comment",
                "{\"a\":1}{}",
                "{\"a\":1} x",
                "{\"a\":1,\"a\":1}",
                "{\"a\":{\"b\":1,\"b\":2}}",
                "{\"a\":\"\u0000\"}",
                "{\"a\":\"\n\"}",
                "{\"a\":\"\\x41\"}",
                "{\"a\":" + "[".repeat(33) + "]".repeat(33) + "}",
                "{\"a\":" + "{\"a\":".repeat(5000) + "1" + "}".repeat(5000) + "}",
                "[".repeat(60_000),
                "{\"a\":" + "9".repeat(65) + "}",
                "email=a%40b.co&password=some+password");
    }

    /** It needs no key: at this point nobody knows whose request it is. */
    @ParameterizedTest
    @ValueSource(strings = {"1e2147483649", "-1e-2147483649", "1E+99999999999"})
    void anExponentThatIsTooLargeIsABadRequest(String number) {
        assertThat(server.api()
                        .post("/v1/auth/signin")
                        .text("{\"projectId\":" + number + "}")
                        .expect(400)
                        .text("message"))
                .isEqualTo("The body has a number whose exponent is too large.");
    }

    /** A parsed object takes many times the memory of its text, and only the text is counted. */
    @Test
    void aBodyOfVeryManyValuesIsABadRequest() {
        var objects = "{},".repeat(15_000) + "{}";
        project.post("/v1/auth/signin")
                .text("{\"email\":\"a@example.com\",\"password\":\"some password\",\"x\":[" + objects + "]}")
                .expect(400);
    }

    @Test
    void aDuplicateKeyIsABadRequest() {
        project.post("/v1/auth/signup")
                .text("{\"email\":\"one@example.com\",\"email\":\"two@example.com\",\"password\":\"some password\"}")
                .expect(400);
    }

    @ParameterizedTest
    @MethodSource("harmless")
    void unknownFieldsAreIgnoredWhateverTheyContain(String field) {
        project.post("/v1/auth/signup")
                .text("{\"email\":\"" + TestServer.newEmail() + "\",\"password\":\"some password\"," + field + "}")
                .expect(201);
    }

    static List<String> harmless() {
        return List.of(
                "\"isBanned\":true",
                "\"emailVerified\":true",
                "\"publicMetadata\":{\"role\":\"admin\"}",
                "\"id\":\"00000000-0000-7000-8000-000000000001\"",
                "\"__proto__\":{\"a\":1}",
                "\"huge\":1e999999999",
                "\"tiny\":-1e-999999999",
                "\"long\":" + "9".repeat(64),
                "\"deep\":" + "[".repeat(31) + "]".repeat(31),
                "\"\":\"\"",
                "\"a\\u0000b\":\"\\ud800\"");
    }

    @Test
    void unknownFieldsChangeNothing() {
        var user = project.post("/v1/auth/signup")
                .json(Map.of(
                        "email",
                        TestServer.newEmail(),
                        "password",
                        "some password",
                        "emailVerified",
                        true,
                        "isBanned",
                        true,
                        "signInCount",
                        7,
                        "publicMetadata",
                        Map.of("role", "admin")))
                .expect(201)
                .json()
                .path("user");

        assertThat(user.path("emailVerified").asBoolean(true)).isFalse();
        assertThat(user.path("isBanned").asBoolean(true)).isFalse();
        assertThat(user.path("signInCount").asInt(-1)).isZero();
        assertThat(user.path("publicMetadata").isNull()).isTrue();
    }

    @Test
    void aBodyOf64KibibytesPassesAndOneByteMoreDoesNot() {
        project.post("/v1/auth/signup").text(ofLength(65_536)).expect(201);
        project.post("/v1/auth/signup").text(ofLength(65_537)).expect(413);
        project.post("/v1/auth/signup").text(ofLength(1_000_000)).expect(413);
    }

    private static String ofLength(int bytes) {
        var body = "{\"email\":\"" + TestServer.newEmail() + "\",\"password\":\"some password\",\"fill\":\"";
        return body + "x".repeat(bytes - body.length() - 2) + "\"}";
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/auth/signin, key",
        "POST, /v1/auth/token/refresh, none",
        "PATCH, /v1/auth/me, none",
        "POST, /v1/auth/signout, none",
        "POST, /v1/dashboard/auth/register, none",
        "POST, /v1/dashboard/projects, none"
    })
    void aBodyBeyondTheLimitIsRefusedBeforeAnythingElse(String method, String path, String credential) {
        call(method, path, credential).text(ofLength(65_537)).expect(413);
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain",
        "application/json; charset=utf-8",
        "application/octet-stream",
        "nonsense",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "multipart/form-data; boundary=x"
    })
    void aBodyFromANonBrowserIsJsonWhateverItsContentType(String contentType) {
        project.post("/v1/auth/signup")
                .raw(contentType, "{\"email\":\"" + TestServer.newEmail() + "\",\"password\":\"some password\"}")
                .expect(201);
    }

    /** Any page can send these without a preflight, so a browser must not be able to sign in or up with them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "application/octet-stream",
                "application/jsonx",
                "text/plain; application/json",
                ""
            })
    void aBodyFromABrowserMustBeDeclaredAsJson(String contentType) {
        var email = TestServer.newEmail();
        var body = "{\"email\":\"" + email + "\",\"password\":\"some password\"}";

        var answer = project.post("/v1/auth/signup")
                .raw(contentType, body)
                .header("Origin", "https://app.example.com")
                .expect(415);

        assertThat(answer.text("message")).contains("Content-Type: application/json");
        assertThat(answer.header("Access-Control-Allow-Origin")).contains("https://app.example.com");
        project.trySignIn(email, "some password").expect(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "Application/JSON; charset=utf-8", "application/json ;a=b"})
    void aJsonBodyFromABrowserIsAccepted(String contentType) {
        project.post("/v1/auth/signup")
                .raw(contentType, "{\"email\":\"" + TestServer.newEmail() + "\",\"password\":\"some password\"}")
                .header("Origin", "https://app.example.com")
                .expect(201);
    }

    @Test
    void aBrowserWithoutABodyNeedsNoContentType() {
        var origin = "https://app.example.com";
        server.api()
                .post("/v1/auth/signout")
                .bearer(project.signUp().accessToken())
                .header("Origin", origin)
                .expect(200);
        server.api()
                .post("/v1/auth/signout")
                .bearer(project.signUp().accessToken())
                .header("Origin", origin)
                .raw("text/plain", "")
                .expect(200);
    }

    /** A provider's page posts a form to us (Form Post Response Mode), and a console may import users. */
    @Test
    void aRouteThatAcceptsAnotherTypeAcceptsItFromABrowserToo() {
        server.api()
                .post("/v1/auth/oauth/redirect")
                .raw("application/x-www-form-urlencoded", "state=x")
                .header("Origin", "https://appleid.apple.com")
                .expect(404);
        server.api()
                .post("/v1/auth/oauth/redirect")
                .raw("text/plain", "state=x")
                .header("Origin", "https://evil.example")
                .expect(415);
        project.manage("POST", "/v1/dashboard/users/import")
                .raw("application/x-ndjson", "{\"email\":\"" + TestServer.newEmail() + "\"}\n")
                .header("Origin", "https://auth.example.com")
                .expect(200);
        project.manage("POST", "/v1/dashboard/users/import")
                .raw("text/plain", "{\"email\":\"" + TestServer.newEmail() + "\"}\n")
                .header("Origin", "https://auth.example.com")
                .expect(415);
    }
}
