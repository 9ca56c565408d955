package dev.vestibule.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** create-admin and reset-dashboard-password on the external database of a running server. */
@ExtendWith(WithServer.class)
class DashboardAccountCommandsIT {
    private static final String PASSWORD = "a dashboard password";

    private final TestServer server;
    private final TestDatabase databases;
    private final CommandRun jar;
    private final String email = TestServer.newEmail();

    DashboardAccountCommandsIT(TestServer server, TestDatabase databases, @TempDir Path folder) {
        this.server = server;
        this.databases = databases;
        jar = on(folder, server.databaseUrl());
    }

    private static CommandRun on(Path folder, String databaseUrl) {
        return new CommandRun(
                folder,
                Map.of(
                        "VESTIBULE_DATABASE_URL",
                        databaseUrl,
                        "VESTIBULE_SECRET",
                        TestServer.SECRET,
                        "VESTIBULE_PASSWORDS_MEMORY",
                        "1024",
                        "VESTIBULE_PASSWORDS_ITERATIONS",
                        "1"));
    }

    private int logIn(String password) {
        return server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", email, "password", password))
                .send()
                .status();
    }

    @Test
    void anAccountThatTheCommandCreatedCanSignIn() {
        var made = jar.runWith(PASSWORD + "\n", "create-admin", email.toUpperCase(Locale.ROOT));
        assertThat(made.err()).isEmpty();
        assertThat(made.code()).hasValue(0);
        assertThat(made.out()).contains(email).doesNotContain(PASSWORD);
        assertThat(logIn(PASSWORD)).isEqualTo(200);
    }

    @Test
    void anExistingAccountKeepsItsPassword() {
        jar.runWith(PASSWORD, "create-admin", email);
        var again = jar.runWith("another passphrase", "create-admin", email);
        assertThat(again.code()).hasValue(1);
        assertThat(again.err()).contains("reset-dashboard-password");
        assertThat(logIn(PASSWORD)).isEqualTo(200);
    }

    @Test
    void theRulesOfSignUpApply() {
        assertThat(jar.runWith("short", "create-admin", email).err()).contains("password must have 8 to 128");
        assertThat(jar.runWith("password1", "create-admin", email).err()).contains("most common");
        assertThat(jar.runWith(email, "create-admin", email).err()).contains("must not be the email");
        assertThat(jar.runWith("", "create-admin", email).err()).contains("There is no password");
        assertThat(jar.runWith(PASSWORD, "create-admin", "nobody").err()).contains("email ");
        assertThat(logIn("short")).isEqualTo(401);
    }

    @Test
    void aResetEndsSessionsLiftsTheLockAndAcceptsOnlyTheNewPassword() {
        jar.runWith(PASSWORD, "create-admin", email);
        var session = server.api()
                .post("/v1/dashboard/auth/login")
                .json(Map.of("email", email, "password", PASSWORD))
                .expect(200)
                .accessToken();
        for (int attempt = 0; attempt < 10; attempt++) {
            logIn("a wrong password " + attempt);
        }
        // the network of the first sign in has tries left, since the lock is for strangers
        var reset = jar.runWith("a new passphrase\r\n", "reset-dashboard-password", email);
        assertThat(reset.err()).isEmpty();
        assertThat(reset.code()).hasValue(0);
        assertThat(logIn("a new passphrase")).isEqualTo(200);
        assertThat(logIn(PASSWORD)).isEqualTo(401);
        assertThat(server.api()
                        .get("/v1/dashboard/projects")
                        .bearer(session)
                        .send()
                        .status())
                .isEqualTo(401);
    }

    @Test
    void theOwnerOfAnAccountIsMailedThatItsPasswordWasReset(@TempDir Path folder) {
        var url = databases.createDatabase();
        var alone = on(folder, url).with("VESTIBULE_SMTP_URL", "smtp://localhost:2525");
        alone.runWith(PASSWORD, "create-admin", email);
        alone.runWith("a new passphrase", "reset-dashboard-password", email);
        assertThat(new Sql(url).texts("SELECT kind FROM messages WHERE recipient = ?", email))
                .containsExactly("password_reset");
    }

    @Test
    void aGeneratedPasswordIsPrintedAndWorks() {
        jar.runWith(PASSWORD, "create-admin", email);
        var reset = jar.run("reset-dashboard-password", email, "--generate");
        var password = reset.out()
                .lines()
                .filter(line -> line.startsWith("Password: "))
                .findFirst()
                .orElseThrow()
                .substring("Password: ".length());
        assertThat(password).hasSizeGreaterThanOrEqualTo(20);
        assertThat(logIn(password)).isEqualTo(200);
    }

    @Test
    void aUserOfAProjectWithTheSameEmailIsNotTouched() {
        var project = server.newProject();
        var user = project.signUp(email);
        var reset = jar.runWith("a new passphrase", "reset-dashboard-password", email);
        assertThat(reset.code()).hasValue(1);
        assertThat(reset.err()).contains("no dashboard account", "create-admin");

        jar.runWith(PASSWORD, "create-admin", email);
        jar.runWith("a new passphrase", "reset-dashboard-password", email);
        project.signIn(email);
        project.verify(user.accessToken()).expect(200);
    }

    /** Somebody else may have created the account, and must not keep access to it. */
    @Test
    void aResetOfAnAccountThatNeverProvedItsEmailRemovesItsIdentities() {
        server.api()
                .post("/v1/dashboard/auth/register")
                .json(Map.of("email", email, "password", PASSWORD))
                .expect(201);
        var sql = server.sql();
        var id = sql.texts("SELECT id::text FROM users WHERE email = ?", email).get(0);
        sql.update(
                "INSERT INTO identities (project_id, user_id, provider, issuer, subject, created_at)"
                        + " SELECT project_id, id, 'google', 'https://accounts.google.com', ?, now() FROM users WHERE id = ?::uuid",
                UUID.randomUUID().toString(),
                id);
        jar.runWith("a new passphrase", "reset-dashboard-password", email);
        assertThat(sql.count("SELECT count(*) FROM identities WHERE user_id = ?::uuid", id))
                .isZero();
    }

    @Test
    void aWrongMasterSecretIsRefusedBeforeAnythingIsWritten() {
        var wrong = jar.with("VESTIBULE_SECRET", "another secret of thirty-two bytes")
                .runWith(PASSWORD, "create-admin", email);
        assertThat(wrong.code()).hasValue(1);
        assertThat(wrong.err()).contains("secret");
        assertThat(logIn(PASSWORD)).isEqualTo(401);
    }

    @Test
    void aSchemaThatIsNewerOrOlderThanTheJarIsNotTouched(@TempDir Path folder) {
        var url = databases.createDatabase();
        var sql = new Sql(url);
        sql.update("INSERT INTO schema_history SELECT 9999, '9999', 'later', type, 'V9999__later.sql', 1, installed_by,"
                + " now(), 1, true FROM schema_history WHERE version = '1'");
        var newer = on(folder, url).runWith(PASSWORD, "create-admin", email);
        assertThat(newer.code()).hasValue(1);
        assertThat(newer.err()).contains("newer than this jar");

        sql.update("DELETE FROM schema_history WHERE version = '9999'");
        sql.update("UPDATE schema_history SET version = '0.1', script = 'V0.1__earlier.sql'");
        var older = on(folder, url).runWith(PASSWORD, "create-admin", email);
        assertThat(older.code()).hasValue(1);
        assertThat(older.err()).contains("older than this jar");
        assertThat(sql.count("SELECT count(*) FROM users")).isZero();
    }
}
