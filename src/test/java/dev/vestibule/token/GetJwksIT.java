package dev.vestibule.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.ProjectKeys;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class GetJwksIT {
    private final TestServer server;
    private final TestProject project;

    GetJwksIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Response keySet(String projectId) {
        return server.api()
                .get("/v1/projects/" + projectId + "/.well-known/jwks.json")
                .send();
    }

    @Test
    void thePublishedKeyVerifiesAnAccessTokenWithPlainJava() throws GeneralSecurityException {
        var token = project.signUp().accessToken();

        assertThat(verifies(keyOf(token, keySet(project.id())), token)).isTrue();
        assertThat(verifies(onlyKey(keySet(server.newProject().id())), token)).isFalse();
    }

    @Test
    void theIssuersUrlLeadsToTheKeys() {
        var token = project.signUp().accessToken();
        var issuer = Jwt.parse(token).claims().path("iss").asText();
        var path = "/v1/projects/" + project.id() + "/.well-known/openid-configuration";
        var found = server.api().get(path).expect(200);

        assertThat(found.json().path("issuer").asText()).isEqualTo(issuer).endsWith("/v1/projects/" + project.id());
        assertThat(found.json().path("jwks_uri").asText()).isEqualTo(issuer + "/.well-known/jwks.json");
        assertThat(found.json().path("id_token_signing_alg_values_supported")).hasToString("[\"RS256\",\"ES256\"]");
        for (var unknown : List.of(UUID.randomUUID().toString(), "none", project.id() + "x")) {
            server.api()
                    .get("/v1/projects/" + unknown + "/.well-known/openid-configuration")
                    .expect(404);
        }
    }

    private static JsonNode keyOf(String token, Response keySet) {
        var kid = Jwt.parse(token).header().path("kid");
        for (var key : keySet.json().path("keys")) {
            if (key.path("kid").equals(kid)) {
                return key;
            }
        }
        throw new AssertionError("the set lacks " + kid);
    }

    private static JsonNode onlyKey(Response keySet) {
        assertThat(keySet.json().path("keys")).hasSize(1);
        return keySet.json().path("keys").get(0);
    }

    private static boolean verifies(JsonNode key, String token) throws GeneralSecurityException {
        var ecdsa = Signature.getInstance("SHA256withECDSAinP1363Format");
        ecdsa.initVerify(ProjectKeys.publicKey(key));
        ecdsa.update(Jwt.parse(token).signed().getBytes(StandardCharsets.US_ASCII));
        return ecdsa.verify(Base64.getUrlDecoder().decode(Jwt.parse(token).signature()));
    }

    @Test
    void aParsedTokenHasTheSameText() {
        var token = project.signUp().accessToken();

        assertThat(Jwt.parse(token).text()).isEqualTo(token);
    }

    @Test
    void thePrivateHalfNeverLeaves() {
        var answer = keySet(project.id());

        assertThat(answer.status()).isEqualTo(200);
        assertThat(onlyKey(answer).fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("kty", "crv", "use", "alg", "kid", "x", "y");
    }

    @Test
    void anyoneCanCacheTheSet() {
        assertThat(keySet(project.id()).header("Cache-Control")).contains("public, max-age=300");
    }

    @Test
    void dashboardUsersTokensVerifyInTheSameWay() throws GeneralSecurityException {
        var token = server.newDashboardUser();

        assertThat(verifies(keyOf(token, keySet("00000000-0000-7000-8000-000000000000")), token))
                .isTrue();
    }

    @Test
    void anUnknownProjectIsNotFound() {
        assertThat(keySet(UUID.randomUUID().toString()).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "%00", "..", "0-0-0-0-0", "%27%20OR%201=1", "%F0%9F%94%91"})
    void aMalformedProjectIdIsNotFound(String projectId) {
        assertThat(keySet(projectId).status()).isEqualTo(404);
    }
}
