package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class VerifyTokenIT {
    private final TestServer server;
    private final TestProject project;

    VerifyTokenIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Response verify(String token) {
        return project.verify(token).expect(200);
    }

    @Test
    void theResponseHasThePayloadAndTheFiveFieldsOfTheUser() {
        var signedUp = project.signUp();

        var answer = verify(signedUp.accessToken());

        assertThat(answer.json().path("valid").asBoolean()).isTrue();
        assertThat(answer.json().path("payload").fieldNames())
                .toIterable()
                .containsExactly("sub", "projectId", "type", "iat", "exp", "auth_time", "amr", "acr");
        assertThat(answer.text("payload/sub")).isEqualTo(signedUp.text("user/id"));
        assertThat(answer.text("payload/projectId")).isEqualTo(project.id());
        assertThat(answer.text("payload/type")).isEqualTo("access");
        assertThat(answer.json().path("user").fieldNames())
                .toIterable()
                .containsExactly("id", "email", "displayName", "avatarUrl", "emailVerified");
        assertThat(answer.text("user/email")).isEqualTo(signedUp.text("user/email"));
    }

    @Test
    void theWholeUserIsAtTheTopLevelToo() {
        var signedUp = project.signUp();

        var answer = verify(signedUp.accessToken()).json().deepCopy();

        var rest = (ObjectNode) answer;
        rest.remove(List.of("valid", "payload", "user"));
        assertThat(rest)
                .isEqualTo(project.me(signedUp.accessToken()).expect(200).json())
                .hasSize(14);
    }

    @Test
    void theUserIsCurrent() {
        var signedUp = project.signUp();
        server.api()
                .patch("/v1/auth/me")
                .bearer(signedUp.accessToken())
                .json(Map.of("displayName", "Countess"))
                .expect(200);

        assertThat(verify(signedUp.accessToken()).text("user/displayName")).isEqualTo("Countess");
    }

    @Test
    void theTokenItselfHasTheDocumentedClaims() {
        var signedUp = project.signUp();

        var token = Jwt.parse(signedUp.accessToken());

        assertThat(token.header().path("alg").asText()).isEqualTo("ES256");
        assertThat(token.header().path("kid").asText()).isNotEmpty();
        assertThat(token.claims().fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "iss", "aud", "sub", "projectId", "sid", "type", "iat", "exp", "auth_time", "amr", "acr");
        assertThat(token.claims().path("iss").asText())
                .isEqualTo("https://auth.example.com/v1/projects/" + project.id());
        assertThat(token.claims().path("aud").asText()).isEqualTo(project.id());
        assertThat(token.claims().path("sub").asText()).isEqualTo(signedUp.text("user/id"));
        assertThat(token.claims().path("exp").asLong()
                        - token.claims().path("iat").asLong())
                .isEqualTo(900);
    }

    @Test
    void aTokenIsValidUntilItsLastMillisecond(TestDatabase database) {
        var clock = new TestClock();
        try (var own = TestServer.start(database, Map.of(), clock)) {
            var ownProject = own.newProject();
            var token = ownProject.signUp().accessToken();
            var end =
                    Instant.ofEpochSecond(Jwt.parse(token).claims().path("exp").asLong());

            clock.advance(Duration.between(clock.instant(), end).minusMillis(1));
            ownProject.me(token).expect(200);

            clock.advance(Duration.ofMillis(1));
            ownProject.me(token).expect(401);
            ownProject.verify(token).expect(401);
        }
    }
}
