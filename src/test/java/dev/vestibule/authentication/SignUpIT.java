package dev.vestibule.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class SignUpIT {
    private static final String SYSTEM_PROJECT = "00000000-0000-7000-8000-000000000000";

    private final TestServer server;
    private final TestProject project;

    SignUpIT(TestServer server) {
        this.server = server;
        this.project = server.newProject();
    }

    @Test
    void aSignUpReturnsTokensAndTheFullUserInTheDocumentedOrder() {
        var answer = project.post("/v1/auth/signup")
                .json(Map.of("email", "ann@example.com", "password", "some password", "displayName", "Ann"))
                .expect(201);

        assertThat(answer.json().fieldNames())
                .toIterable()
                .containsExactly("accessToken", "refreshToken", "expiresIn", "user");
        assertThat(answer.json().path("user").fieldNames())
                .toIterable()
                .containsExactly(
                        "id",
                        "projectId",
                        "email",
                        "displayName",
                        "avatarUrl",
                        "phone",
                        "emailVerified",
                        "phoneVerified",
                        "isBanned",
                        "publicMetadata",
                        "signInCount",
                        "lastSignInAt",
                        "createdAt",
                        "updatedAt");
        assertThat(answer.text("user/email")).isEqualTo("ann@example.com");
        assertThat(answer.text("user/displayName")).isEqualTo("Ann");
        assertThat(answer.text("user/projectId")).isEqualTo(project.id());
        assertThat(answer.json().at("/user/signInCount").asInt()).isZero();
        assertThat(answer.json().at("/user/lastSignInAt").isNull()).isTrue();
        assertThat(answer.json().at("/user/emailVerified").asBoolean(true)).isFalse();
        assertThat(answer.json().at("/user/isBanned").asBoolean(true)).isFalse();
        assertThat(answer.text("refreshToken")).startsWith("rt_");
    }

    @Test
    void aNewUserHasTheCurrentTimeAsCreatedAt() {
        var answer = project.signUp();

        assertThat(answer.text("user/createdAt")).isEqualTo(answer.text("user/updatedAt"));
        assertThat(Instant.parse(answer.text("user/createdAt")))
                .isBetween(Instant.now().minus(Duration.ofMinutes(1)), Instant.now());
    }

    @Test
    void theTokensWorkAtOnce() {
        var answer = project.signUp();

        assertThat(project.me(answer.accessToken()).expect(200).json())
                .isEqualTo(answer.json().path("user"));
        project.refresh(answer.refreshToken()).expect(200);
    }

    @Test
    void anAccessTokenLasts15MinutesInVariantAAnd60InVariantB() {
        assertThat(lifetime(project.signUp())).isEqualTo(900);
        assertThat(lifetime(signUpInVariantB())).isEqualTo(3600);
    }

    @Test
    void aProjectsOwnTokenLifetimeAppliesInBothVariants() {
        server.change(project, "access_token_ttl_seconds = 120");

        assertThat(lifetime(project.signUp())).isEqualTo(120);
        assertThat(lifetime(signUpInVariantB())).isEqualTo(120);
    }

    private Response signUpInVariantB() {
        return server.api()
                .post("/v1/auth/signup")
                .json(Map.of("projectId", project.id(), "email", TestServer.newEmail(), "password", "some password"))
                .expect(201);
    }

    /** The lifetime in the response, which must match the token's. */
    private long lifetime(Response answer) {
        var expiresIn = answer.json().path("expiresIn").asLong();
        var payload = server.api()
                .get("/v1/auth/token/verify")
                .bearer(answer.accessToken())
                .expect(200)
                .json()
                .path("payload");
        assertThat(payload.path("exp").asLong() - payload.path("iat").asLong()).isEqualTo(expiresIn);
        return expiresIn;
    }

    @Test
    void aTakenEmailIsAConflictInAnyCaseAndWithSpaces() {
        project.signUp("ann@example.com");

        project.post("/v1/auth/signup")
                .json(Map.of("email", " ANN@example.com ", "password", "another password"))
                .expect(409);
    }

    @Test
    void theSameEmailIsFreeInAnotherProject() {
        var here = project.signUp("ann@example.com");
        var there = server.newProject().signUp("ann@example.com");

        assertThat(here.text("user/id")).isNotEqualTo(there.text("user/id"));
    }

    @Test
    void ordinarySignUpCreatesNoDashboardUser() {
        var email = TestServer.newEmail();

        server.api()
                .post("/v1/auth/signup")
                .json(Map.of("projectId", SYSTEM_PROJECT, "email", email, "password", "some password"))
                .expect(403);

        assertThat(server.sql().count("SELECT count(*) FROM users WHERE email = ?", email))
                .isZero();
    }

    @Test
    void onlyAnArgon2idHashOfThePasswordIsStored() {
        var user = project.signUp().text("user/id");

        assertThat(server.sql().texts("SELECT password_hash FROM users WHERE id = ?::uuid", user))
                .singleElement()
                .asString()
                .startsWith("$argon2id$")
                .doesNotContain(TestProject.PASSWORD);
    }
}
