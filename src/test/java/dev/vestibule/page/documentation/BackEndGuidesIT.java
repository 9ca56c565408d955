package dev.vestibule.page.documentation;

import static dev.vestibule.page.documentation.GuideSamples.answer;
import static dev.vestibule.page.documentation.GuideSamples.isAsShown;
import static dev.vestibule.page.documentation.GuideSamples.run;
import static dev.vestibule.page.documentation.GuideSamples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.config.Settings;
import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestMailbox;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithMail;
import dev.vestibule.fixture.WithServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs the samples of the guides about tokens, sessions, support and mails, and holds what these guides say. */
@ExtendWith(WithServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("It starts many small programs, and installs a library of Node.")
class BackEndGuidesIT {
    private static final String JOSE = "jose@6.2.3";

    private final TestDatabase database;
    private final TestServer server;
    private TestProject project;
    private String email;
    private ApiClient.Response user;
    private String userId;

    @SuppressWarnings("NullAway.Init")
    BackEndGuidesIT(TestDatabase database) {
        this.database = database;
        server = GuideSamples.startServer(database);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void newUser() {
        project = server.newProject();
        email = TestServer.newEmail();
        user = project.signUp(email);
        userId = user.text("user/id");
    }

    private JsonNode claims() {
        return GuideSamples.claims(project.signIn(email).accessToken());
    }

    // API keys of users

    @Test
    void aKeyIsCreatedCheckedAndExchanged(@TempDir Path folder) throws Exception {
        var key = answer(folder, project, "create-api-key.sh", user.accessToken())
                .path("key")
                .asText();
        assertThat(answer(folder, project, "verify-api-key.sh", key)
                        .at("/user/id")
                        .asText())
                .isEqualTo(userId);
        answer(folder, project, "exchange-api-key.sh", key);
    }

    // Roles in tokens

    @Test
    void aRoleIsInTheTokensAndNodeChecksIt(@TempDir Path folder) throws Exception {
        GuideSamples.npm(folder, JOSE);
        answer(folder, project, "set-role.sh", userId, "admin");
        answer(folder, project, "create-template.sh");
        isAsShown("create-template.sh", 1, claims());

        var before = user.accessToken();
        assertThat(GuideSamples.claims(before).has("role")).isFalse();
        run(folder, project, "require-role.mjs", before, "admin").expectFailure();
        var token = project.refresh(user.text("refreshToken")).expect(200).accessToken();
        assertThat(run(folder, project, "require-role.mjs", token, "admin")
                        .expectSuccess()
                        .output())
                .contains(userId);
        assertThat(run(folder, project, "require-role.mjs", token, "owner")
                        .expectFailure()
                        .output())
                .contains("not allowed");

        run(folder, project, "set-role.sh", userId, "guest").expectSuccess();
        assertThat(project.verify(token).expect(200).text("publicMetadata/role"))
                .as("the server says at once what the token does not")
                .isEqualTo("guest");
        assertThat(project.verify(token).expect(200).text("user/id")).isEqualTo(userId);
    }

    @Test
    void aServerAsksForATokenByTheNameOfATemplate(@TempDir Path folder) throws Exception {
        run(folder, project, "create-template.sh").expectSuccess();
        project.manage("POST", "/v1/backend/jwt-templates")
                .json(Map.of(
                        "name",
                        "Warehouse",
                        "allowedLifetime",
                        60,
                        "claims",
                        List.of(Map.of("key", "mail", "source", "email"))))
                .expect(201);
        var session = GuideSamples.claims(user.accessToken()).path("sid").asText();

        var token = answer(folder, project, "issue-token.sh", session, "Warehouse");
        assertThat(token.path("expiresIn").asInt()).isEqualTo(60);
        assertThat(GuideSamples.claims(token.path("accessToken").asText())
                        .path("mail")
                        .asText())
                .isEqualTo(email);
        assertThat(claims().has("mail")).isFalse();
        project.signOut(user.accessToken()).expect(200);
        project.me(token.path("accessToken").asText()).expect(401);
    }

    // Sessions

    @Test
    void aSessionIsRefreshedListedAndEnded(@TempDir Path folder) throws Exception {
        var refreshed = answer(folder, project, "refresh.sh", user.text("refreshToken"));
        var access = refreshed.path("accessToken").asText();
        var own = run(folder, project, "list-my-sessions.sh", access)
                .expectSuccess()
                .json();
        isAsShown("list-my-sessions.sh", own);
        var other = project.signIn(email);
        answer(
                folder,
                project,
                "end-my-session.sh",
                access,
                GuideSamples.claims(other.accessToken()).path("sid").asText());
        project.me(other.accessToken()).expect(401);

        answer(folder, project, "user-sessions.sh", userId);
        answer(folder, project, "end-user-sessions.sh", userId);
        project.me(access).expect(401);
        answer(folder, project, "sign-out.sh", project.signIn(email).accessToken());
    }

    @Test
    void aNodeClientRefreshesOnceForAllItsRequests(@TempDir Path folder) throws Exception {
        GuideSamples.tool("node", "--version");
        write(folder, "session.mjs");
        var program = """
                import { Session } from './session.mjs'
                const kept = []
                const tokens = JSON.parse(process.argv[2])
                const fresh = new Session(tokens, one => kept.push(one))
                if (await fresh.accessToken() !== tokens.accessToken || kept.length !== 1) throw new Error('refreshed too early')
                const old = new Session({ ...tokens, expiresIn: 20 }, one => kept.push(one))
                const got = await Promise.all([1, 2, 3].map(() => old.accessToken()))
                if (new Set(got).size !== 1 || kept.length !== 3) throw new Error(`${kept.length} kept`)
                console.log(got[0])
                """;
        var file = Files.writeString(folder.resolve("uses-session.mjs"), program);
        var result = GuideSamples.run(
                folder, List.of("node", file.toString(), user.body()), GuideSamples.environment(project));
        project.me(result.expectSuccess().output().strip()).expect(200);
    }

    @Test
    void theLifetimesAreThoseThatAreSet(@TempDir Path folder) throws Exception {
        run(folder, project, "set-lifetimes.sh").expectSuccess();
        Eventually.until(
                "new tokens are shorter",
                () -> project.signIn(email).json().path("expiresIn").asInt() == 300);
        for (int i = 0; i < 3; i++) {
            project.signIn(email);
        }
        var listed =
                run(folder, project, "user-sessions.sh", userId).expectSuccess().json();
        assertThat(listed.path("total").asInt()).isEqualTo(3);
    }

    // Acting as a user

    @Test
    void anOwnerActsAsAUserAndTheBackEndCanTell(@TempDir Path folder) throws Exception {
        GuideSamples.npm(folder, JOSE);
        var tokens = answer(folder, project, "impersonate.sh", userId, "Ticket 4711");
        var access = tokens.path("accessToken").asText();
        isAsShown("impersonate.sh", 1, GuideSamples.claims(access));
        assertThat(GuideSamples.claims(access).has("amr")).isFalse();

        assertThat(run(folder, project, "refuse-acting.mjs", access)
                        .expectFailure()
                        .output())
                .contains("is acting as this user");
        assertThat(run(folder, project, "refuse-acting.mjs", user.accessToken())
                        .expectSuccess()
                        .output())
                .contains(userId);
        assertThat(project.api()
                        .post("/v1/auth/password/change")
                        .bearer(access)
                        .json(Map.of("currentPassword", TestProject.PASSWORD, "newPassword", "another long password"))
                        .expect(403)
                        .text("code"))
                .isEqualTo("impersonated_session");
        assertThat(project.api()
                        .get("/v1/auth/me/sessions")
                        .bearer(user.accessToken())
                        .expect(200)
                        .body())
                .contains("impersonatedBy");
    }

    // Test tokens

    @Test
    void testsOfAnApplicationGetTheirUsers(@TempDir Path folder) throws Exception {
        var refused = run(folder, project, "test-token.sh", email);
        assertThat(refused.expectFailure().output()).contains("\"code\":\"test_project_required\"");

        var made = answer(folder, project, "create-test-project.sh");
        var forTests = new TestProject(
                project.api(),
                made.path("id").asText(),
                made.path("publishableKey").asText(),
                made.path("secretKey").asText(),
                project.owner());
        var tokens = answer(folder, forTests, "test-token.sh", "tester@example.com");
        var claims = GuideSamples.claims(tokens.path("accessToken").asText());
        assertThat(claims.has("amr") || claims.has("acr")).isFalse();
        assertThat(tokens.at("/user/emailVerified").asBoolean()).isFalse();

        GuideSamples.tool("node", "--version");
        var line = List.of("node", "--test", write(folder, "account.test.mjs").toString());
        var result = GuideSamples.run(folder, line, GuideSamples.environment(forTests));
        assertThat(result.expectSuccess().output()).contains("pass 1");
    }

    // Audit log

    @Test
    void theAuditLogIsReadFollowedAndExported(@TempDir Path folder) throws Exception {
        project.signIn(email);
        answer(folder, project, "read-audit-log.sh");
        for (int i = 0; i < 3; i++) {
            project.trySignIn(email, "a wrong password").expect(401);
        }
        Eventually.until("they are written", () -> count("auth.signin.failed") == 3);

        var failures = run(folder, project, "failed-sign-ins.mjs", "2020-01-01");
        assertThat(failures.expectSuccess().output()).startsWith("3 from ");
        var lines = new ArrayList<>(run(folder, project, "export-audit-log.sh", "2020-01-01")
                .expectSuccess()
                .output()
                .lines()
                .toList());
        assertThat(lines).hasSizeGreaterThan(4).allMatch(line -> line.startsWith("{\"id\":"));
        assertThat(count("audit.exported")).isEqualTo(1);
    }

    private int count(String event) {
        return project.manage("GET", "/v1/backend/audit-logs?event=" + event)
                .expect(200)
                .json()
                .path("total")
                .asInt();
    }

    // Mail texts

    @Test
    void theOperatorsTextsAreInTheMails(@TempDir Path folder) throws Exception {
        answer(folder, project, "preview-mail.sh");
        run(folder, project, "write-mail-text.sh").expectSuccess();
        assertThat(project.asOwner("GET", "/message-texts/email_otp/en")
                        .expect(200)
                        .text("parts/0/ownText"))
                .isEqualTo("{{ code }} is your code for {{ brand }}");
        var templates = Files.createDirectory(folder.resolve("mail"));
        write(templates, "en.properties");
        write(templates, "layout.txt");
        var file = write(folder, "mail.yaml");
        Files.writeString(file, Files.readString(file).replace("/etc/vestibule/mail", templates.toString()));
        assertThat(Settings.load(Optional.of(file), Map.of(), folder).mail().templates())
                .contains(templates);

        try (var mail = WithMail.start(database, Map.of("VESTIBULE_MAIL_TEMPLATES", templates.toString()))) {
            var own = mail.server().newProject();
            own.post("/v1/auth/passwordless/email-otp")
                    .json(Map.of("email", email))
                    .expect(200);
            var sent = mail.mailbox().await(email, 1);
            var code = TestMailbox.code(sent);
            assertThat(sent.getSubject()).isEqualTo(code + " is your code for A project");
            assertThat(TestMailbox.text(sent))
                    .startsWith("Sign in with this code")
                    .contains("help@example.com");
        }

        Files.writeString(templates.resolve("de.properties"), "greeting=Moin {{ nmae }}");
        assertThatThrownBy(() -> WithMail.start(database, Map.of("VESTIBULE_MAIL_TEMPLATES", templates.toString())))
                .hasStackTraceContaining(InvalidConfigurationException.class.getSimpleName())
                .hasStackTraceContaining("de");
    }
}
