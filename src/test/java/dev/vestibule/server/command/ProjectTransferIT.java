package dev.vestibule.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Authenticator;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Jwt;
import dev.vestibule.fixture.PasskeyDevice;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import dev.vestibule.user.organization.OrganizationCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** export and import of a project between two running servers with different master secrets. */
@ExtendWith(WithServer.class)
class ProjectTransferIT {
    private static final String SECRET = "the master secret of the server that the project leaves";
    private static final String OTHER_SECRET = "the master secret of the server that the project moves to";

    private final Path folder;
    private final Path file;
    private final TestServer source;
    private final TestProject project;
    private final TestServer target;
    private final String targetsOwner;
    private final String ownersEmail = TestServer.newEmail();

    ProjectTransferIT(TestDatabase databases, @TempDir Path folder) {
        this.folder = folder;
        this.file = folder.resolve("project.zip");
        this.source = TestServer.start(databases, Map.of("VESTIBULE_SECRET", SECRET));
        this.project = source.newProject();
        this.target = TestServer.start(databases, secretsOfTarget());
        this.targetsOwner = target.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", ownersEmail, "password", TestProject.PASSWORD))
                .expect(201)
                .accessToken();
    }

    @AfterEach
    void stop() {
        source.close();
        target.close();
    }

    private static Map<String, String> secretsOfTarget() {
        return Map.of("VESTIBULE_SECRET", OTHER_SECRET, "VESTIBULE_PREVIOUS_SECRETS", SECRET);
    }

    private CommandRun.Result export(String projectId) {
        return new CommandRun(
                        folder, Map.of("VESTIBULE_DATABASE_URL", source.databaseUrl(), "VESTIBULE_SECRET", SECRET))
                .run("export", "--project", projectId, file.toString());
    }

    private CommandRun importing() {
        return new CommandRun(folder, secretsOfTarget()).with("VESTIBULE_DATABASE_URL", target.databaseUrl());
    }

    private CommandRun.Result importIt() {
        return importing().run("import", "--owner", ownersEmail, file.toString());
    }

    private void assertRefused(CommandRun.Result result, String why) {
        assertThat(result.err()).contains(why);
        assertThat(result.code()).hasValue(1);
        assertThat(new Sql(target.databaseUrl())
                        .count("SELECT count(*) FROM users WHERE project_id = ?::uuid", project.id()))
                .isZero();
    }

    @Test
    void anExportedProjectIsCompleteAfterTheImport() throws IOException {
        project.asOwner("PATCH", "")
                .json(Map.of(
                        "callbackUrl",
                        "https://app.example.com/callback",
                        "allowSelfDeletion",
                        true,
                        "emailUndoUrl",
                        "https://app.example.com/undo",
                        "requireMfa",
                        "required",
                        "passwordlessSignUp",
                        false,
                        "magicLinkUrl",
                        "https://app.example.com/sign-in",
                        "factors",
                        Map.of("passwordless", false),
                        "sessionConfig",
                        Map.of("accessTokenTtl", 600)))
                .expect(200);
        project.asOwner("PATCH", "/branding")
                .json(Map.of("brandName", "Ada & Söhne\\"))
                .expect(200);
        project.asOwner("PUT", "/message-texts/verification/en")
                .json(Map.of("subject", "Welcome to {{ brand }} \\\""))
                .expect(200);
        project.asOwner("PUT", "/providers/google")
                .json(Map.of("clientId", "the-client", "clientSecret", "its secret", "enabled", true))
                .expect(200);
        project.manage("POST", "/v1/dashboard/webhooks")
                .json(Map.of("url", "https://127.0.0.1/hook", "events", List.of("user.created")))
                .expect(201);
        var user = project.signUp("ada@example.com");
        project.manage("POST", "/v1/backend/jwt-templates")
                .json(Map.of("name", "usual", "claims", List.of(Map.of("key", "a", "value", 1))))
                .expect(201);
        project.manage("PATCH", "/v1/dashboard/users/" + user.text("user/id"))
                .json(Map.of("externalId", "customer-1", "privateMetadata", Map.of("limit", 500)))
                .expect(200);
        var impersonated = project.asOwner("POST", "/users/" + user.text("user/id") + "/impersonate")
                .json(Map.of("reason", "It stays, since the owner does"))
                .expect(200);
        var careful = project.signUp("grace@example.com");
        source.proveEmail("grace@example.com");
        var setup = source.api()
                .post("/v1/auth/mfa/totp/setup")
                .bearer(careful.accessToken())
                .expect(200);
        var app = new Authenticator(setup.text("secret"), Clock.systemUTC());
        source.api()
                .post("/v1/auth/mfa/totp/verify-setup")
                .bearer(careful.accessToken())
                .json(Map.of("code", app.code()))
                .expect(200);
        project.asOwner("PATCH", "")
                .json(Map.of(
                        "passkeyRpId", "example.com",
                        "passkeyOrigins", List.of("https://app.example.com"),
                        "factors", Map.of("passkeys", true)))
                .expect(200);
        var both = source.api()
                .post("/v1/auth/reauthenticate")
                .bearer(careful.accessToken())
                .json(Map.of("code", setup.text("backupCodes/1"))) // a later step's code is for the target
                .expect(200);
        var device = new PasskeyDevice("https://app.example.com");
        var creation = source.api()
                .post("/v1/auth/passkeys/register/options")
                .bearer(both.accessToken())
                .expect(200)
                .json();
        source.api()
                .post("/v1/auth/passkeys/register/verify")
                .bearer(both.accessToken())
                .json(device.create(creation))
                .expect(200);
        var organization = Moved.start(source, project, user);
        var settings = project.asOwner("GET", "").expect(200).body();
        var keys = project.api()
                .get("/v1/projects/" + project.id() + "/.well-known/jwks.json")
                .expect(200)
                .body();

        var written = export(project.id());
        assertThat(written.err()).isEmpty();
        assertThat(written.out()).contains("3 users and 2 sessions");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        var made = importIt();
        assertThat(made.err()).isEmpty();
        assertThat(made.code()).hasValue(0);
        assertThat(new Sql(target.databaseUrl()).texts("""
                        SELECT relname FROM pg_class
                        WHERE reltuples < 1 AND relname IN (
                            'users', 'user_search', 'sessions', 'organizations', 'organization_members', 'directories',
                            'directory_users', 'directory_groups', 'directory_group_members', 'user_keys')
                        """))
                .as("tables that were filled, whose size the planner does not know")
                .isEmpty();

        var moved = new TestProject(
                target.api(), project.id(), project.publishableKey(), project.secretKey(), targetsOwner);
        assertThat(moved.asOwner("GET", "").expect(200).body()).isEqualTo(settings);
        assertThat(moved.asOwner("GET", "/branding").expect(200).text("brandName"))
                .isEqualTo("Ada & Söhne\\");
        assertThat(moved.asOwner("GET", "/message-texts/verification/en")
                        .expect(200)
                        .text("parts/0/ownText"))
                .isEqualTo("Welcome to {{ brand }} \\\"");
        assertThat(moved.asOwner("GET", "/providers").expect(200).body()).contains("the-client");
        assertThat(moved.api()
                        .get("/v1/projects/" + project.id() + "/.well-known/jwks.json")
                        .expect(200)
                        .body())
                .isEqualTo(keys);
        assertThat(moved.manage("GET", "/v1/dashboard/webhooks").expect(200).text("total"))
                .isEqualTo("1");
        assertThat(moved.manage("GET", "/v1/dashboard/users?search=ada")
                        .expect(200)
                        .text("total"))
                .isEqualTo("1");
        assertThat(moved.manage("GET", "/v1/backend/users/by-external-id/customer-1")
                        .expect(200)
                        .text("privateMetadata/limit"))
                .isEqualTo("500");
        moved.verify(impersonated.accessToken()).expect(401);
        moved.refresh(impersonated.refreshToken()).expect(401);
        moved.verify(user.accessToken()).expect(200);
        moved.verify(moved.refresh(user.refreshToken()).expect(200).accessToken())
                .expect(200);
        assertThat(Jwt.parse(moved.signIn("ada@example.com").accessToken())
                        .claims()
                        .path("a")
                        .asInt())
                .isEqualTo(1);
        assertThat(moved.signIn("ada@example.com").text("user/id")).isEqualTo(user.text("user/id"));
        for (var code : List.of(app.code(Duration.ofSeconds(30)), setup.text("backupCodes/0"))) {
            var token = moved.trySignIn("grace@example.com", TestProject.PASSWORD)
                    .expect(200)
                    .text("mfaToken");
            moved.post("/v1/auth/mfa/verify")
                    .json(Map.of("mfaToken", token, "code", code))
                    .expect(200);
        }
        var request =
                moved.post("/v1/auth/passkeys/authenticate/options").expect(200).json();
        assertThat(moved.post("/v1/auth/passkeys/authenticate/verify")
                        .json(device.get(request))
                        .expect(200)
                        .text("user/email"))
                .isEqualTo("grace@example.com");
        organization.assertIsWhole(moved);
        assertThat(export(project.id()).err()).contains("already");
    }

    /** An organization with a directory, which has made an admin, and a key. */
    private record Moved(Response owner, String id, String directory, String directoryToken, String admin, String key) {
        static Moved start(TestServer server, TestProject project, Response owner) {
            var calls = new OrganizationCalls(server.sql(), project);
            var organization = calls.create(owner, "Engines");
            var directory = calls.as(owner, "POST", "/" + organization + "/directories")
                    .json(Map.of("name", "Okta", "groupRoles", Map.of("Engineers", "admin")))
                    .expect(201);
            var path = "/v1/scim/" + project.id() + "/" + directory.text("id");
            var token = directory.text("token");
            var admin = project.api()
                    .post(path + "/Users")
                    .bearer(token)
                    .json(Map.of("userName", "joan@example.org", "title", "Engineer"))
                    .expect(201)
                    .text("id");
            project.api()
                    .post(path + "/Groups")
                    .bearer(token)
                    .json(Map.of("displayName", "Engineers", "members", List.of(Map.of("value", admin))))
                    .expect(201);
            var key = calls.as(owner, "POST", "/" + organization + "/api-keys")
                    .json(Map.of("name", "Job"))
                    .expect(201)
                    .text("key");
            return new Moved(owner, organization, path, token, admin, key);
        }

        void assertIsWhole(TestProject moved) {
            assertThat(moved.api()
                            .get("/v1/auth/organizations/" + id)
                            .bearer(owner.accessToken())
                            .expect(200)
                            .text("role"))
                    .isEqualTo("owner");
            assertThat(moved.manage("GET", "/v1/dashboard/organizations/" + id + "/members")
                            .expect(200)
                            .json()
                            .path("members"))
                    .extracting(member -> member.path("role").asText())
                    .containsExactly("owner", "admin");
            assertThat(moved.api()
                            .get(directory + "/Users?filter=title%20eq%20%22engineer%22")
                            .bearer(directoryToken)
                            .expect(200)
                            .text("Resources/0/id"))
                    .isEqualTo(admin);
            assertThat(moved.api()
                            .get(directory + "/Groups?filter=members%20eq%20%22" + admin + "%22")
                            .bearer(directoryToken)
                            .expect(200)
                            .text("totalResults"))
                    .isEqualTo("1");
            assertThat(moved.manage("POST", "/v1/backend/keys/verify")
                            .json(Map.of("key", key))
                            .expect(200)
                            .text("organization/id"))
                    .isEqualTo(id);
        }
    }

    /** After that, the secrets of providers and webhooks no longer need the other server's secret. */
    @Test
    void theNextStartSealsTheSecretsUnderItsOwn() {
        project.asOwner("PUT", "/providers/google")
                .json(Map.of("clientId", "the-client", "clientSecret", "its secret", "enabled", true))
                .expect(200);
        var sealed = "SELECT encode(sealed_client_secret, 'hex') FROM identity_providers WHERE project_id = ?::uuid";
        export(project.id());
        importIt();
        var before = target.sql().texts(sealed, project.id());
        assertThat(before).isEqualTo(source.sql().texts(sealed, project.id()));

        try (var restarted =
                TestServer.startOn(target.databaseUrl(), secretsOfTarget(), Clock.tickMillis(ZoneOffset.UTC))) {
            Eventually.until(
                    "the secret is sealed again",
                    () -> !restarted.sql().texts(sealed, project.id()).equals(before));
        }
    }

    @Test
    void anExistingProjectIsNotChanged() {
        assertRefused(importIt(), "There is no file " + file);
        export(project.id());
        importIt();
        var again = importIt();
        assertThat(again.code()).hasValue(1);
        assertThat(again.err()).contains("already", project.id());
    }

    @Test
    void aSlugThatIsTakenIsRefused() {
        var slug = project.asOwner("GET", "").expect(200).text("slug");
        var other = target.newProject(targetsOwner, "Other");
        target.sql().update("UPDATE projects SET slug = ? WHERE id = ?::uuid", slug, other.id());
        export(project.id());
        assertRefused(importIt(), "slug " + slug);
    }

    @Test
    void aSlugThatStillLeadsToAnotherProjectIsRefused() {
        var slug = project.asOwner("GET", "").expect(200).text("slug");
        var other = target.newProject(targetsOwner, "Other");
        target.sql().update("UPDATE projects SET slug = ? WHERE id = ?::uuid", slug, other.id());
        other.asOwner("PATCH", "").json(Map.of("slug", slug + "-2")).expect(200);
        export(project.id());

        assertRefused(importIt(), "earlier slug " + slug);

        var page = ApiClient.undescribed(target.api().base())
                .get("/p/" + slug + "/")
                .expect(302);
        assertThat(page.header("Location").orElseThrow()).endsWith("/p/" + slug + "-2/");
    }

    @Test
    void withoutTheOtherServersSecretNothingIsImported() {
        project.signUp();
        export(project.id());
        assertRefused(
                new CommandRun(
                                folder,
                                Map.of(
                                        "VESTIBULE_DATABASE_URL",
                                        target.databaseUrl(),
                                        "VESTIBULE_SECRET",
                                        OTHER_SECRET))
                        .run("import", "--owner", ownersEmail, file.toString()),
                "previousSecrets");
    }

    @Test
    void aTruncatedOrChangedFileIsRefused() throws IOException {
        project.signUp();
        export(project.id());
        var whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertRefused(importIt(), "is incomplete");
        Files.write(file, "no zip".getBytes(StandardCharsets.UTF_8));
        assertRefused(importIt(), "is incomplete");
    }

    @Test
    void oneAlteredByteIsNoticed() throws IOException {
        project.signUp();
        export(project.id());
        var whole = Files.readAllBytes(file);
        var positions = middlesOfEntries();
        positions.add(0);
        positions.add(whole.length - 1);
        for (var position : positions) {
            var altered = whole.clone();
            altered[position] ^= 1;
            Files.write(file, altered);
            assertRefusedAsChanged("the byte at " + position);
        }
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertRefusedAsChanged("without its last byte");
        Files.write(file, whole);
        assertThat(importIt().code()).hasValue(0);
    }

    private void assertRefusedAsChanged(String what) {
        var result = importIt();
        assertThat(result.err())
                .as(what)
                .containsAnyOf("The file was changed after it was written.", "is incomplete")
                .doesNotContain("SQL");
        assertThat(result.code()).as(what).hasValue(1);
        assertThat(target.sql().count("SELECT count(*) FROM projects WHERE id = ?::uuid", project.id()))
                .as(what)
                .isZero();
    }

    /** The middle positions of the packed content of each table, the seal and the manifest. */
    private List<Integer> middlesOfEntries() throws IOException {
        var middles = new ArrayList<Integer>();
        try (var zip = new ZipFile(file.toFile())) {
            var start = 0;
            for (var entry : Collections.list(zip.entries())) {
                var content = start + ZipFile.LOCHDR + entry.getName().length();
                var bytes = (int) entry.getCompressedSize();
                middles.add(content + bytes / 2);
                start = content + bytes + ZipFile.EXTHDR;
            }
        }
        return middles;
    }

    @Test
    void theOwnerMustExist() {
        project.signUp();
        export(project.id());
        assertRefused(importing().run("import", "--owner", "nobody@example.com", file.toString()), "--owner");
        assertRefused(importing().run("import", "--owner", "nobody", file.toString()), "--owner must be an email");
    }

    @Test
    void anUnknownProjectIsNotExported() {
        var unknown = export("019bc134-7840-7a1f-8d52-47c3f09be681");
        assertThat(unknown.code()).hasValue(1);
        assertThat(unknown.err()).contains("no project with the id 019bc134");
        assertThat(export("00000000-0000-7000-8000-000000000000").err()).contains("cannot be exported");
        assertThat(export("my-project").code()).hasValue(2);
        assertThat(file).doesNotExist();
    }
}
