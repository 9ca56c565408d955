package dev.vestibule.user.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vestibule.crypto.foreign.Vector;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The recipes of the migration guide, word for word, on small dumps in the formats of other systems. */
@ExtendWith(WithServer.class)
class ImportRecipesIT {
    private static final Path RECIPES = Path.of("src/main/resources/page/documentation/migration.md");
    private static final Path DUMPS = Path.of("src/test/resources/imports");
    private static final String BCRYPT_PASSWORD = "correct horse battery";

    private final TestDatabase database;
    private final WithMail world;
    private final TestProject project;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    ImportRecipesIT(TestDatabase database) {
        this.database = database;
        this.world = WithMail.start(database);
        this.project = world.server().newProject();
    }

    @AfterEach
    void stop() {
        world.close();
    }

    private static String recipe(String heading, String language) throws IOException {
        var block = Pattern.compile(
                "^## " + heading + "\n.*?^```" + language + "\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
        var found = block.matcher(Files.readString(RECIPES));
        assertThat(found.find()).as(heading).isTrue();
        return found.group(1);
    }

    /** The output of the recipe's command, with the dump in its working directory. */
    private String run(String heading, String... dumps) throws IOException, InterruptedException {
        assumeTrue(hasJq() || System.getenv("CI") != null, "jq is not installed");
        for (var dump : dumps) {
            Files.copy(DUMPS.resolve(dump), folder.resolve(dump));
        }
        var errors = new File(folder.toFile(), "errors");
        var shell = new ProcessBuilder("sh", "-ec", recipe(heading, "sh"))
                .directory(folder.toFile())
                .redirectError(errors)
                .start();
        assertThat(shell.waitFor()).as(Files.readString(errors.toPath())).isZero();
        return Files.readString(folder.resolve("users.ndjson"));
    }

    private static boolean hasJq() {
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(System.getenv("PATH"))
                .anyMatch(part -> Files.isExecutable(Path.of(part, "jq")));
    }

    private void importUsers(String lines, int users) {
        assertThat(project.manage("POST", "/v1/dashboard/users/import")
                        .raw("application/x-ndjson", lines)
                        .expect(200)
                        .body())
                .contains("\"done\":true,\"created\":%d,\"exists\":0,\"failed\":0".formatted(users));
    }

    /** The users as an export returns them, oldest first. */
    private List<JsonNode> users() {
        return project.manage("GET", "/v1/dashboard/users/export")
                .expect(200)
                .body()
                .lines()
                .map(ImportRecipesIT::json)
                .sorted((one, other) -> one.path("createdAt")
                        .asText()
                        .compareTo(other.path("createdAt").asText()))
                .toList();
    }

    private static JsonNode json(String line) {
        try {
            return new ObjectMapper().readTree(line);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private static void assertHas(JsonNode user, Map<String, String> fields) {
        fields.forEach((pointer, value) -> assertThat(user.at(pointer).asText())
                .as(pointer + " of " + user)
                .isEqualTo(value));
    }

    @Test
    void supabase() throws IOException {
        var dump = database.createDatabase();
        new Sql(dump).update(Files.readString(DUMPS.resolve("supabase-dump.sql")));
        var lines = new Sql(dump).texts(recipe("Supabase Auth", "sql"));
        importUsers(String.join("\n", lines), 2);

        assertHas(
                users().get(0),
                Map.of(
                        "/id", "6b1ed7a4-2c4f-4f57-9d2e-0a5c3e0f9b71",
                        "/displayName", "Ada Lovelace",
                        "/emailVerified", "true",
                        "/phone", "+14155550123",
                        "/createdAt", "2019-12-10T08:00:00.123Z",
                        "/lastSignInAt", "2024-03-01T09:59:31.123Z",
                        "/identities/0/subject", "110169484474386276334"));
        assertThat(users().get(0).path("publicMetadata").toString())
                .isEqualTo("{\"plan\":\"pro\",\"limits\":{\"seats\":null}}");
        assertHas(users().get(1), Map.of("/isBanned", "true", "/identities/0/provider", "github"));
        project.trySignIn("ada@example.com", BCRYPT_PASSWORD).expect(200);
    }

    @Test
    void firebase() throws IOException, InterruptedException {
        importUsers(run("Firebase", "firebase.json"), 2);

        assertHas(
                users().get(0),
                Map.of(
                        "/email", "ada@example.com",
                        "/displayName", "Ada Lovelace",
                        "/emailVerified", "true",
                        "/createdAt", "2019-12-10T08:00:00.123Z",
                        "/publicMetadata/admin", "true",
                        "/publicMetadata/firebaseId", "Rk3aPz7Qx1bYc9dVwEfGh2JkLmN4",
                        "/externalId", "Rk3aPz7Qx1bYc9dVwEfGh2JkLmN4",
                        "/identities/0/provider", "google"));
        assertHas(users().get(1), Map.of("/phone", "+14155550123", "/isBanned", "true"));
        project.trySignIn("ada@example.com", "not the password").expect(401);
        project.trySignIn("ada@example.com", Vector.of("firebase").password()).expect(200);
    }

    @Test
    void auth0() throws IOException, InterruptedException {
        importUsers(run("Auth0", "auth0-users.ndjson", "auth0-passwords.ndjson"), 2);

        assertHas(
                users().get(0),
                Map.of(
                        "/displayName", "Ada Lovelace",
                        "/signInCount", "7",
                        "/lastSignInAt", "2024-03-01T09:59:31.123Z",
                        "/publicMetadata/auth0Id", "auth0|5f7c8ec7c33c6c004bbafe82"));
        assertThat(users().get(0).at("/publicMetadata/admin").isMissingNode()).isTrue();
        assertHas(
                users().get(1),
                Map.of("/isBanned", "true", "/identities/0/subject", "110169484474386276334", "/displayName", ""));
        project.trySignIn("ada@example.com", BCRYPT_PASSWORD).expect(200);
    }

    @Test
    void keycloak() throws IOException, InterruptedException {
        importUsers(run("Keycloak", "app-realm.json"), 3);

        assertHas(
                users().get(0),
                Map.of(
                        "/id", "0c7a2f1e-9a3b-4d56-8f10-2b3c4d5e6f70",
                        "/email", "ada@example.com",
                        "/displayName", "Ada Lovelace",
                        "/createdAt", "2019-12-10T08:00:00.123Z",
                        "/identities/0/subject", "110169484474386276334"));
        project.trySignIn("ada@example.com", BCRYPT_PASSWORD).expect(200);
        project.trySignIn("bob@example.com", BCRYPT_PASSWORD).expect(403);
        project.trySignIn("eve@example.com", BCRYPT_PASSWORD).expect(200);
        project.trySignIn("eve@example.com", "not the password").expect(401);
    }

    @Test
    void cognito() throws IOException, InterruptedException {
        importUsers(run("Amazon Cognito", "cognito.json"), 2);

        assertHas(
                users().get(0),
                Map.of(
                        "/id", "9c4e1b77-0d2f-4e8a-b5a3-6c7d8e9f0a1b",
                        "/phone", "+14155550123",
                        "/createdAt", "2019-12-10T08:00:00.123Z"));
        assertHas(users().get(1), Map.of("/isBanned", "true", "/identities/0/provider", "google"));
        project.trySignIn("ada@example.com", BCRYPT_PASSWORD).expect(401);
        project.post("/v1/auth/password/forgot")
                .json(Map.of("email", "ada@example.com"))
                .expect(200);
        var code = world.mailbox().awaitCode("ada@example.com", 1);
        project.post("/v1/auth/password/reset")
                .json(Map.of("email", "ada@example.com", "code", code, "password", TestProject.PASSWORD))
                .expect(200);
        project.signIn("ada@example.com");
    }
}
