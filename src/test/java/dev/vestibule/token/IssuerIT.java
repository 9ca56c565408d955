package dev.vestibule.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.ProjectKeys;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A project's key vouches for a token; the host in {@code iss} only says at which address it was issued. */
@ExtendWith(WithServer.class)
class IssuerIT {
    private static final String SYSTEM_PROJECT = "00000000-0000-7000-8000-000000000000";

    private final TestDatabase database;

    IssuerIT(TestDatabase database) {
        this.database = database;
    }

    private static TestServer nodeAt(String databaseUrl, String publicUrl) {
        return TestServer.startOn(databaseUrl, Map.of("VESTIBULE_PUBLIC_URL", publicUrl), Clock.systemUTC());
    }

    @Test
    void nodesWithDifferentPublicUrlsAcceptEachOthersTokens() {
        var databaseUrl = database.createDatabase();
        try (var one = nodeAt(databaseUrl, "https://auth.example.com");
                var other = nodeAt(databaseUrl, "http://10.0.0.7:8081/auth")) {
            var project = one.newProject();
            var there = project.at(other);
            var issuedHere = project.signUp("ann@example.com").accessToken();
            var issuedThere = there.signIn("ann@example.com").accessToken();

            assertThat(issuerOf(issuedHere)).isEqualTo("https://auth.example.com/v1/projects/" + project.id());
            assertThat(issuerOf(issuedThere)).isEqualTo("http://10.0.0.7:8081/auth/v1/projects/" + project.id());
            for (var token : List.of(issuedHere, issuedThere)) {
                project.me(token).expect(200);
                there.verify(token).expect(200);
            }
        }
    }

    @Test
    void aDashboardUserStaysSignedInWhenThePublicUrlChanges() {
        var databaseUrl = database.createDatabase();
        String token;
        TestProject project;
        try (var before = nodeAt(databaseUrl, "https://old.example.com")) {
            project = before.newProject();
            token = project.owner();
        }
        try (var after = nodeAt(databaseUrl, "https://new.example.com")) {
            project.at(after).asOwner("GET", "").expect(200);
            after.api().get("/v1/auth/me").bearer(token).expect(200);
        }
    }

    /** Without {@code publicUrl} the port is part of the issuer, and a test server takes another one at every start. */
    @Test
    void aRestartAtAnotherPortBreaksNoSession() {
        var databaseUrl = database.createDatabase();
        String token;
        TestProject project;
        try (var before = nodeAt(databaseUrl, "http://localhost:8080")) {
            project = before.newProject();
            token = project.signUp().accessToken();
        }
        try (var after = nodeAt(databaseUrl, "http://localhost:9999")) {
            var there = project.at(after);
            there.me(token).expect(200);
            there.signOut(token).expect(200);
            there.me(token).expect(401);
        }
    }

    @Test
    void onlyTheHostCanDiffer() {
        try (var server = TestServer.start(database, Map.of())) {
            var project = server.newProject();
            var other = server.newProject();
            var genuine = Jwt.parse(project.signUp().accessToken());
            var key = ProjectKeys.privateKey(server, project.id());
            var ofProject = "/v1/projects/" + project.id();

            project.me(genuine.claim("iss", "https://elsewhere.example" + ofProject)
                            .signedWith(key))
                    .expect(200);
            for (var issuer : List.<Object>of(
                    "",
                    "https://auth.example.com",
                    "https://auth.example.com/",
                    "https://auth.example.com/v1/projects/",
                    "https://auth.example.com" + ofProject + "/",
                    "https://auth.example.com" + ofProject + "#",
                    "https://auth.example.com" + ofProject + "\u0000",
                    "https://auth.example.com/v1/projects/" + other.id(),
                    "https://auth.example.com/v1/projects/" + SYSTEM_PROJECT,
                    "https://auth.example.com/v1/projects/" + UUID.randomUUID(),
                    1,
                    true,
                    List.of("https://auth.example.com" + ofProject),
                    Map.of("url", "https://auth.example.com" + ofProject))) {
                project.me(genuine.claim("iss", issuer).signedWith(key)).expect(401);
            }
        }
    }

    @Test
    void anotherProjectsKeyIsNotAccepted() {
        try (var server = TestServer.start(database, Map.of())) {
            var project = server.newProject();
            var other = server.newProject();
            var genuine = Jwt.parse(project.signUp().accessToken());
            var others = ProjectKeys.privateKey(server, other.id());
            var systems = ProjectKeys.privateKey(server, SYSTEM_PROJECT);

            for (var key : List.of(others, systems, ProjectKeys.foreign().getPrivate())) {
                for (var token : List.of(
                        genuine,
                        genuine.claim("iss", "https://elsewhere.example/v1/projects/" + other.id()),
                        genuine.claim("aud", other.id()),
                        genuine.claim("projectId", other.id()))) {
                    project.me(token.signedWith(key)).expect(401);
                }
            }
            var owner = Jwt.parse(project.owner());
            project.as(owner.signedWith(ProjectKeys.privateKey(server, project.id())), "GET", "")
                    .expect(401);
        }
    }

    private static String issuerOf(String token) {
        return Jwt.parse(token).claims().path("iss").asText();
    }
}
