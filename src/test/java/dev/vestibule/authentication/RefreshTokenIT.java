package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What both refreshes return and refuse; other tests cover rotation and reuse. */
@ExtendWith(WithServer.class)
class RefreshTokenIT {
    private final TestServer server;
    private final TestProject project;

    RefreshTokenIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    @Test
    void variantAReturnsANewTokenTheSessionAndTheFullUser() {
        var signedUp = project.signUp();

        var answer = project.refresh(signedUp.refreshToken()).expect(200);

        assertThat(answer.json().fieldNames())
                .toIterable()
                .containsExactly("accessToken", "refreshToken", "expiresIn", "sessionId", "user");
        assertThat(answer.refreshToken()).isNotEqualTo(signedUp.refreshToken());
        assertThat(answer.json().path("expiresIn").asInt()).isEqualTo(900);
        assertThat(answer.json().path("user")).isEqualTo(signedUp.json().path("user"));
        assertThat(answer.text("sessionId"))
                .isEqualTo(
                        Jwt.parse(signedUp.accessToken()).claims().path("sid").asText());
        project.me(answer.accessToken()).expect(200);
    }

    @Test
    void variantBReturnsOnlyAnAccessTokenAndKeepsTheRefreshToken() {
        var signedUp = project.signUpInVariantB();

        for (int i = 0; i < 3; i++) {
            var answer = server.api()
                    .post("/v1/auth/refresh")
                    .json(Map.of("refreshToken", signedUp.refreshToken()))
                    .expect(200);
            assertThat(answer.json().fieldNames()).toIterable().containsExactly("accessToken", "expiresIn");
            assertThat(answer.json().path("expiresIn").asInt()).isEqualTo(3600);
            project.me(answer.accessToken()).expect(200);
        }
    }

    @Test
    void aProjectsOwnTokenLifetimeAppliesInBothVariants() {
        server.change(project, "access_token_ttl_seconds = 60");
        var inA = project.signUp().refreshToken();
        var inB = project.signUpInVariantB().refreshToken();

        for (var refresh : List.of(project.refresh(inA), project.refreshAccessToken(inB))) {
            assertThat(refresh.expect(200).json().path("expiresIn").asInt()).isEqualTo(60);
        }
    }

    @Test
    void bothTakeTheProjectFromTheBodyToo() {
        var inA = project.signUp().refreshToken();
        var inB = project.signUpInVariantB().refreshToken();

        server.api()
                .post("/v1/auth/token/refresh")
                .json(Map.of("projectId", project.id(), "refreshToken", inA))
                .expect(200);
        server.api()
                .post("/v1/auth/refresh")
                .json(Map.of("projectId", project.id(), "refreshToken", inB))
                .expect(200);
    }

    @Test
    void aRefreshTokenOfAnotherProjectIsRefusedAndUnharmed() {
        var other = server.newProject();
        var inA = project.signUp().refreshToken();
        var inB = project.signUpInVariantB().refreshToken();

        other.refresh(inA).expect(401);
        server.api()
                .post("/v1/auth/token/refresh")
                .json(Map.of("projectId", other.id(), "refreshToken", inA))
                .expect(401);
        server.api()
                .post("/v1/auth/refresh")
                .json(Map.of("projectId", other.id(), "refreshToken", inB))
                .expect(401);
        other.post("/v1/auth/refresh").json(Map.of("refreshToken", inB)).expect(401);

        project.refresh(inA).expect(200);
        project.refreshAccessToken(inB).expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth/token/refresh", "/v1/auth/refresh"})
    void aRefreshTokenThatIsMissingOrNoStringIsInvalid(String path) {
        for (var body : List.of(
                "{}",
                "{\"refreshToken\":null}",
                "{\"refreshToken\":1}",
                "{\"refreshToken\":[\"rt_\"]}",
                "{\"RefreshToken\":\"rt_\"}")) {
            assertThat(project.post(path).text(body).expect(422).failingFields())
                    .containsExactly("refreshToken");
        }
    }

    /** It needs no key, since the refresh token names its project; without the token, nothing does. */
    @Test
    void variantBReportsAMissingRefreshTokenEvenWithoutAKey() {
        assertThat(server.api().post("/v1/auth/refresh").text("{}").expect(422).failingFields())
                .containsExactly("refreshToken");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rt_", "nonsense", "\\u0000", "\\ud800", "rt_\\u0000", "1e400", "' OR '1'='1"})
    void anyOtherTextIsRefused(String text) {
        var body = "{\"refreshToken\":\"" + text + "\"}";

        project.post("/v1/auth/token/refresh").text(body).expect(401);
        project.post("/v1/auth/refresh").text(body).expect(401);
        server.api().post("/v1/auth/refresh").text(body).expect(401);
    }

    @Test
    void anAccessTokenOrAKeyIsNotAcceptedAsARefreshToken() {
        project.refresh(project.signUp().accessToken()).expect(401);
        project.refresh(project.secretKey()).expect(401);
    }
}
