package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The jar with a heap of 160 MB, of which one scrypt hash of OWASP's parameters would take 128. */
@ExtendWith(WithServer.class)
class SmallHeapIT {
    private static final String SALT_AND_HASH = "c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g";
    private static final String TOO_LARGE = "$scrypt$ln=17,r=8,p=1$" + SALT_AND_HASH;
    private static final String COSTLY = "$scrypt$ln=15,r=8,p=1$" + SALT_AND_HASH;
    private static final String ARGON2 = "$argon2id$v=19$m=65536,t=3,p=4$" + SALT_AND_HASH;

    /** Three times what is hashed at once. */
    private static final int AT_ONCE = 12;

    private final String database;
    private final JarCommand command;

    SmallHeapIT(TestDatabase databases, @TempDir Path folder) {
        database = databases.createDatabase();
        command = JarCommand.in(folder)
                .java("-Xmx160m")
                .with("VESTIBULE_DATABASE_URL", database)
                .with("VESTIBULE_PASSWORDS_THREADS", "4")
                .with("VESTIBULE_PASSWORDS_NATIVE_BUDGET", "131072")
                .with("VESTIBULE_LIMITS_ENABLED", "false")
                .with("VESTIBULE_SECRET", TestServer.SECRET);
    }

    private static void create(TestProject project, String email, String hash, int status) {
        project.manage("POST", "/v1/dashboard/users")
                .json(Map.of("email", email, "passwordHash", hash))
                .expect(status);
    }

    @Test
    void noImportedHashEndsTheProcess() {
        try (var server = command.start()) {
            var project = server.firstProject();
            create(project, "ann@example.com", TOO_LARGE, 422);
            create(project, "bob@example.com", COSTLY, 201);
            create(project, "cy@example.com", ARGON2, 201);
            project.signUp("dan@example.com");
            assertThat(Parallel.send(
                            AT_ONCE, i -> project.trySignIn(i % 2 == 0 ? "bob@example.com" : "cy@example.com", "no")))
                    .extracting(Response::status)
                    .containsOnly(401);

            // As a node with more memory would have stored it.
            new Sql(database).update("UPDATE users SET password_hash = ? WHERE email = 'bob@example.com'", TOO_LARGE);
            assertThat(Parallel.send(AT_ONCE, i -> project.trySignIn("bob@example.com", "no")))
                    .extracting(Response::status)
                    .containsOnly(503);
            project.signIn("dan@example.com");
        }
    }
}
