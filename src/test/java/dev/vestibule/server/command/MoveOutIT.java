package dev.vestibule.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.Server;
import dev.vestibule.config.Settings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.embedded.UnpackedPostgres;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.FirstStart;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.server.StartException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Moves from the embedded database to an external one, with the secret that the first start generated. */
@ExtendWith(WithServer.class)
@TakesLong("It starts the jar with a PostgreSQL at both ends of each move.")
class MoveOutIT {
    private static final Clock CLOCK = Clock.tickMillis(ZoneOffset.UTC);
    private static final String CLIENT_SECRET = "GOCSPX-of-the-provider";
    private static final String NEXT = "the next master secret that is long enough to be one";
    private static final Map<String, String> OWNER =
            Map.of("email", "owner@example.com", "password", "a dashboard password");

    private final TestDatabase databases;
    private final Path folder;
    private String secret = "";
    private String accessToken = "";
    private String refreshToken = "";
    private TestProject project;

    MoveOutIT(TestDatabase databases, @TempDir Path folder) {
        this.databases = databases;
        this.folder = folder;
    }

    @BeforeEach
    void createDataOnAnEmbeddedServer() throws IOException {
        FirstStart.into(folder.resolve("data"));
        try (var server = embedded(Map.of())) {
            var api = new ApiClient(URI.create("http://localhost:" + server.port()));
            var owner = api.post("/v1/dashboard/auth/register").json(OWNER).expect(201);
            project = TestProject.create(api, owner.accessToken(), Map.of("name", "A project"));
            var user = project.signUp("ann@example.com");
            accessToken = user.accessToken();
            refreshToken = user.refreshToken();
            project.asOwner("PUT", "/providers/google")
                    .json(Map.of("clientId", "id", "clientSecret", CLIENT_SECRET, "enabled", true))
                    .expect(200);
        }
        secret = Files.readString(folder.resolve("data/secret")).strip();
    }

    private Settings settings(Map<String, String> more) {
        return settings(more, folder);
    }

    private static Settings settings(Map<String, String> more, Path folder) {
        UnpackedPostgres.into(folder.resolve("data"));
        var environment = new HashMap<>(Map.of(
                "VESTIBULE_HTTP_PORT", "0",
                "VESTIBULE_HTTP_EVENT_LOOPS", "1",
                "VESTIBULE_MANAGEMENT_PORT", "0",
                "VESTIBULE_PASSWORDS_MEMORY", "1024",
                "VESTIBULE_PASSWORDS_ITERATIONS", "1"));
        environment.putAll(more);
        return Settings.load(Optional.empty(), environment, folder);
    }

    private Server embedded(Map<String, String> more) {
        return Server.start(settings(more), CLOCK);
    }

    private TestServer given(String databaseUrl, String... secrets) {
        return TestServer.startOn(
                databaseUrl,
                secrets.length == 1
                        ? Map.of("VESTIBULE_SECRET", secrets[0])
                        : Map.of("VESTIBULE_SECRET", secrets[0], "VESTIBULE_PREVIOUS_SECRETS", secrets[1]),
                CLOCK);
    }

    /** Users sign in, tokens verify, and refresh tokens go on, which needs keys of every kind. */
    private void everythingIsThere(ApiClient api) {
        var moved = project.through(api);
        moved.me(accessToken).expect(200);
        var refreshed = moved.refresh(refreshToken).expect(200);
        refreshToken = refreshed.refreshToken();
        moved.me(refreshed.accessToken()).expect(200);
        moved.verify(moved.signIn("ann@example.com").accessToken()).expect(200);
        api.post("/v1/dashboard/auth/login").json(OWNER).expect(200);
    }

    @Test
    void theTextOfTheFileIsTheSecretOnTheSameFolder() {
        try (var server = embedded(Map.of("VESTIBULE_SECRET", secret))) {
            everythingIsThere(new ApiClient(URI.create("http://localhost:" + server.port())));
        }
        try (var server = embedded(Map.of())) { // and the file again
            everythingIsThere(new ApiClient(URI.create("http://localhost:" + server.port())));
        }
    }

    /** Uses the commands that an operator types, in the order that the README describes. */
    @Test
    void embeddedDataMovesToAGivenDatabaseAndItsSecretRotates() throws Exception {
        var file = folder.resolve("moved.backup").toString();
        var embeddedCommands = new CommandRun(folder, Map.of());
        assertThat(succeed(embeddedCommands, "backup", file)).contains("Backed up ");
        assertThat(Files.readString(Path.of(file + ".secret")).strip()).isEqualTo(secret);

        var target = emptyDatabase();
        var url = target.databaseUrl();
        var wrong = new CommandRun(folder, Map.of("VESTIBULE_DATABASE_URL", url, "VESTIBULE_SECRET", NEXT))
                .run("restore", file);
        assertThat(wrong.code()).hasValue(1);
        assertThat(wrong.err())
                .containsPattern(
                        "does not fit the backup: .*needs the master secret [0-9a-f]{8}\\. Given are [0-9a-f]{8}");
        succeed(
                new CommandRun(folder, Map.of("VESTIBULE_DATABASE_URL", url, "VESTIBULE_SECRET", secret)),
                "restore",
                file);

        assertThatThrownBy(() -> given(url, NEXT).close())
                .isInstanceOf(StartException.class)
                .hasMessageFindingMatch("needs the master secret [0-9a-f]{8}\\. Given are [0-9a-f]{8} \\(secret\\)");
        try (var server = given(url, secret)) {
            everythingIsThere(server.api());
            assertThat(clientSecret(target, secret)).isEqualTo(CLIENT_SECRET);
        }
        try (var server = given(url, NEXT, secret)) {
            everythingIsThere(server.api());
            Eventually.until("the provider's secret is sealed under the next one", () -> opens(target, NEXT));
        }
        assertThat(clientSecret(target, NEXT)).isEqualTo(CLIENT_SECRET);
    }

    @Test
    void aBackupIsRestoredIntoAnotherEmbeddedFolderWhereUsersContinue(@TempDir Path elsewhere) {
        var file = folder.resolve("copied.backup").toString();
        UnpackedPostgres.into(elsewhere.resolve("data"));
        succeed(new CommandRun(folder, Map.of()), "backup", file);
        succeed(new CommandRun(elsewhere, Map.of()), "restore", file);
        try (var server = Server.start(settings(Map.of(), elsewhere), CLOCK)) {
            everythingIsThere(new ApiClient(URI.create("http://localhost:" + server.port())));
        }
    }

    private static String succeed(CommandRun commands, String... arguments) {
        var result = commands.run(arguments);
        assertThat(result.code()).as(result.err()).hasValue(0);
        return result.out();
    }

    /** On the same PostgreSQL, and without a schema. */
    private Sql emptyDatabase() {
        var neighbour = new Sql(databases.createDatabase());
        var name = "moved_" + System.nanoTime();
        neighbour.update("CREATE DATABASE " + name);
        return new Sql(neighbour.databaseUrl().replaceFirst("/test_[^?]*", "/" + name));
    }

    @Test
    void aStartWithAnotherSecretSaysWhichOneItNeedsAndWhichAreGiven() {
        assertThatThrownBy(() -> embedded(Map.of("VESTIBULE_SECRET", NEXT)).close())
                .isInstanceOf(StartException.class)
                .hasMessageContaining("master secret does not fit the data")
                .hasMessageFindingMatch("needs the master secret [0-9a-f]{8}\\. Given are [0-9a-f]{8} \\(secret\\)")
                .hasMessageContaining("the file secret of its data folder");
    }

    private String clientSecret(Sql sql, String masterSecret) {
        var sealed = HexFormat.of()
                .parseHex(sql.texts(
                                "SELECT encode(sealed_client_secret, 'hex') FROM identity_providers"
                                        + " WHERE project_id = ?::uuid",
                                project.id())
                        .get(0));
        var sealer = new Sealer(new MasterKeys(MasterSecret.fromSetting(masterSecret), List.of()), "provider secrets");
        return new String(sealer.open(sealed, ("provider secret " + project.id() + " google").getBytes(UTF_8)), UTF_8);
    }

    private boolean opens(Sql sql, String masterSecret) {
        try {
            return clientSecret(sql, masterSecret).equals(CLIENT_SECRET);
        } catch (IllegalStateException notYet) {
            return false;
        }
    }

    @Test
    void noNewSecretIsGeneratedForDataThatItCouldNotRead() throws IOException {
        var file = folder.resolve("data/secret");
        Files.delete(file);
        assertThatThrownBy(() -> embedded(Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(file + " is missing");
        assertThat(Files.exists(file)).isFalse();

        Files.writeString(file, "short");
        assertThatThrownBy(() -> embedded(Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("does not hold a master secret");
        assertThat(Files.readString(file)).isEqualTo("short");
    }

    /** The server had the newer secret for a while, perhaps from its environment, which a shell does not have. */
    @Test
    void aSecretThatOpensOnlyPartOfTheDataStopsAStartAndARestore() throws Exception {
        try (var server = embedded(Map.of("VESTIBULE_SECRET", NEXT, "VESTIBULE_PREVIOUS_SECRETS", secret))) {
            var api = new ApiClient(URI.create("http://localhost:" + server.port()));
            var owner = api.post("/v1/dashboard/auth/login").json(OWNER).expect(200);
            TestProject.create(api, owner.accessToken(), Map.of("name", "A project of the newer secret"));
        }
        assertThatThrownBy(() -> embedded(Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("needs the master secret");

        var file = folder.resolve("half.backup").toString();
        var backup = new CommandRun(folder, Map.of()).run("backup", file);
        assertThat(backup.code()).hasValue(0);
        assertThat(backup.err()).contains("This secret alone is not enough for the backup", "needs the master secret");
        var elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        UnpackedPostgres.into(elsewhere.resolve("data"));
        var refused = new CommandRun(elsewhere, Map.of()).run("restore", file);
        assertThat(refused.code()).hasValue(1);
        assertThat(refused.err()).contains("does not fit the backup");
        succeed(
                new CommandRun(elsewhere, Map.of("VESTIBULE_SECRET", NEXT, "VESTIBULE_PREVIOUS_SECRETS", secret)),
                "restore",
                file);
    }

    /** Signing keys are never sealed again: keys from before a rotation need the secret from before it. */
    @Test
    void aProjectIsImportedOnlyWithAllSecretsThatSealedIt() throws Exception {
        var both = Map.of("VESTIBULE_SECRET", NEXT, "VESTIBULE_PREVIOUS_SECRETS", secret);
        embedded(both).close();
        var file = folder.resolve("project.zip").toString();
        succeed(new CommandRun(folder, both), "export", "--project", project.id(), file);

        var own = "the master secret of the server that the project comes to";
        var other = Files.createDirectories(folder.resolve("other"));
        try (var server = Server.start(settings(Map.of("VESTIBULE_SECRET", own), other), CLOCK)) {
            new ApiClient(URI.create("http://localhost:" + server.port()))
                    .post("/v1/dashboard/auth/register")
                    .json(OWNER)
                    .expect(201);
        }
        var refused = new CommandRun(other, Map.of("VESTIBULE_SECRET", own, "VESTIBULE_PREVIOUS_SECRETS", NEXT))
                .run("import", "--owner", "owner@example.com", file);
        assertThat(refused.code()).hasValue(1);
        assertThat(refused.err())
                .contains("Another master secret of the other server is needed too", "needs the master secret");
        succeed(
                new CommandRun(
                        other, Map.of("VESTIBULE_SECRET", own, "VESTIBULE_PREVIOUS_SECRETS", NEXT + "," + secret)),
                "import",
                "--owner",
                "owner@example.com",
                file);
    }
}
