package dev.vestibule.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variant B: the project comes from the body, with or without a key. */
@ExtendWith(WithServer.class)
class ProjectInBodyIT {
    private final TestServer server;
    private final TestProject project;

    ProjectInBodyIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    private Call call(String path, @Nullable Object projectId) {
        var body = new HashMap<String, Object>();
        body.put("projectId", projectId);
        return server.api().post(path).json(body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth/signup", "/v1/auth/signin", "/v1/auth/token/refresh", "/v1/auth/refresh"})
    void aKnownProjectPassesWithoutAKey(String path) {
        call(path, project.id()).expect(422);
        call(path, project.id().toUpperCase(Locale.ROOT)).expect(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth/signup", "/v1/auth/signin", "/v1/auth/token/refresh", "/v1/auth/refresh"})
    void anUnknownProjectIsNotFound(String path) {
        call(path, UUID.randomUUID().toString()).expect(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth/signup", "/v1/auth/signin", "/v1/auth/token/refresh", "/v1/auth/refresh"})
    void aMalformedProjectIdIsNotFound(String path) {
        for (var malformed : List.of(
                "",
                " ",
                "nonsense",
                project.id() + " ",
                project.id() + "0",
                project.id().substring(1),
                project.id().replace("-", ""),
                "{" + project.id() + "}",
                "' OR '1'='1",
                "\u0000",
                "0-0-0-0-0",
                "00000000000000000000000000000-0-0-0-0")) {
            call(path, malformed).expect(404);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth/signup", "/v1/auth/signin", "/v1/auth/token/refresh", "/v1/auth/refresh"})
    void aProjectIdThatIsNotAStringIsInvalid(String path) {
        for (var wrong : List.of(1, true, List.of(project.id()), Map.of("id", project.id()))) {
            assertThat(call(path, wrong).expect(422).failingFields()).contains("projectId");
            assertThat(call(path, wrong)
                            .key(project.publishableKey())
                            .expect(422)
                            .failingFields())
                    .contains("projectId");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth/signup", "/v1/auth/signin", "/v1/auth/token/refresh"})
    void nullNamesNoProject(String path) {
        call(path, null).expect(401);
        call(path, null).key(project.publishableKey()).expect(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth/signup", "/v1/auth/signin", "/v1/auth/token/refresh", "/v1/auth/refresh"})
    void aKeyAndAProjectIdMustBelongToTheSameProject(String path) {
        var other = server.newProject();

        call(path, project.id()).key(project.publishableKey()).expect(422);
        call(path, project.id()).bearer(project.secretKey()).expect(422);
        call(path, project.id().toUpperCase(Locale.ROOT))
                .key(project.publishableKey())
                .expect(422);
        call(path, other.id()).key(project.publishableKey()).expect(403);
        call(path, other.id()).bearer(project.secretKey()).expect(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/auth/signup", "/v1/auth/signin", "/v1/auth/token/refresh", "/v1/auth/refresh"})
    void aProjectIdDoesNotMakeUpForABadKey(String path) {
        call(path, project.id()).key("pk_live_nonsense").expect(401);
    }

    @Test
    void aProjectIdDoesNotOpenARouteThatNeedsAKey() {
        server.api().call("GET", "/v1/auth/branding?projectId=" + project.id()).expect(401);
        server.api().call("GET", "/v1/auth/providers?projectId=" + project.id()).expect(401);
    }
}
