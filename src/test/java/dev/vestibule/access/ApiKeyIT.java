package dev.vestibule.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the routes that need a project's key treat valid and invalid keys. */
@ExtendWith(WithServer.class)
class ApiKeyIT {
    private final TestServer server;
    private final TestProject project;

    ApiKeyIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    /** A 422 for an empty body shows that the guard let the request through, so no test here needs a user. */
    private Call call(String method, String path) {
        var call = server.api().call(method, path);
        return method.equals("POST") ? call.text("{}") : call;
    }

    private static int passed(String method) {
        return method.equals("POST") ? 422 : 200;
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/auth/signup",
        "POST, /v1/auth/signin",
        "POST, /v1/auth/token/refresh",
        "GET, /v1/auth/providers",
        "GET, /v1/auth/branding"
    })
    void aRouteOfAProjectNeedsAKey(String method, String path) {
        call(method, path).expect(401);
        call(method, path).header("x-api-key", "").expect(401);
        call(method, path).header("Authorization", "Bearer ").expect(401);
        call(method, path).header("Authorization", "Basic cGs6cGs=").expect(401);
        call(method, path).header("Authorization", project.publishableKey()).expect(401);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/auth/signup",
        "POST, /v1/auth/signin",
        "POST, /v1/auth/token/refresh",
        "POST, /v1/auth/refresh",
        "GET, /v1/auth/providers",
        "GET, /v1/auth/branding"
    })
    void aKeyOfEitherKindPassesInEitherHeader(String method, String path) {
        for (var key : List.of(project.publishableKey(), project.secretKey())) {
            call(method, path).key(key).expect(passed(method));
            call(method, path).key("  " + key + " ").expect(passed(method));
            call(method, path).bearer(key).expect(passed(method));
            call(method, path).header("Authorization", "bearer " + key).expect(passed(method));
            call(method, path).key(key).bearer(project.publishableKey()).expect(passed(method));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/auth/signup",
        "POST, /v1/auth/signin",
        "POST, /v1/auth/token/refresh",
        "POST, /v1/auth/refresh",
        "GET, /v1/auth/providers",
        "GET, /v1/auth/branding"
    })
    void anUnknownKeyIsRejectedInEitherHeader(String method, String path) {
        var unknown = otherEnd(project.publishableKey());
        call(method, path).key(unknown).expect(401);
        call(method, path).bearer(unknown).expect(401);
        call(method, path).key(unknown).bearer(project.publishableKey()).expect(401);
        call(method, path).key(project.publishableKey()).bearer(unknown).expect(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pk_live_",
                "sk_live_",
                "pk_",
                "nonsense",
                "null",
                "pk_live_!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!",
                "pk_prod_AAAAAAAAcACAAAAAAAAAAAGbpusXXHEriDFKnPQ2W3AAAAABEhtHdK",
                "pk_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "' OR '1'='1",
                "../../etc/passwd"
            })
    void aMalformedKeyIsRefused(String key) {
        call("GET", "/v1/auth/branding").key(key).expect(401);
        call("GET", "/v1/auth/branding").bearer(key).expect(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "=", "A", " A"})
    void aKeyWithASuffixIsInvalid(String more) {
        call("GET", "/v1/auth/branding").key(project.publishableKey() + more).expect(401);
    }

    @ParameterizedTest
    @CsvSource({"pk_live_, pk_test_", "pk_live_, sk_live_", "pk_live_, PK_LIVE_"})
    void theKindAndEnvironmentBelongToTheKey(String prefix, String other) {
        call("GET", "/v1/auth/branding")
                .key(project.publishableKey().replace(prefix, other))
                .expect(401);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/auth/signup",
        "POST, /v1/auth/signin",
        "POST, /v1/auth/token/refresh",
        "POST, /v1/auth/refresh",
        "GET, /v1/auth/providers",
        "GET, /v1/auth/branding"
    })
    void credentialsOfTwoProjectsAreRefused(String method, String path) {
        var stranger = server.newProject();
        var strangersToken = stranger.signUp().accessToken();

        call(method, path).key(project.publishableKey()).bearer(strangersToken).expect(403);
        call(method, path)
                .key(project.publishableKey())
                .bearer(stranger.publishableKey())
                .expect(403);
        call(method, path)
                .key(project.publishableKey())
                .bearer(project.signUp().accessToken())
                .expect(passed(method));
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /v1/auth/signup",
        "POST, /v1/auth/signin",
        "POST, /v1/auth/token/refresh",
        "GET, /v1/auth/providers",
        "GET, /v1/auth/branding"
    })
    void anAccessTokenIsNotAcceptedAsAKey(String method, String path) {
        var token = project.signUp().accessToken();

        call(method, path).bearer(token).expect(401);
        call(method, path).key(token).expect(401);
    }

    private static String otherEnd(String key) {
        var end = key.endsWith("Q") ? "w" : "Q";
        var other = key.substring(0, key.length() - 1) + end;
        assertThat(other).isNotEqualTo(key);
        return other;
    }
}
