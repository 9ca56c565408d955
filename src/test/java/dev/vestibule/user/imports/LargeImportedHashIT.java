package dev.vestibule.user.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.foreign.Vector;
import dev.vestibule.fixture.ApiClient.Call;
import dev.vestibule.fixture.ApiClient.Response;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A node with little memory for hashes, next to one with enough for all imported hashes. */
@ExtendWith(WithServer.class)
class LargeImportedHashIT {
    /** scrypt with 16 MiB. */
    private static final Vector LARGE = Vector.of("firebase scrypt");

    private final TestServer large;
    private final TestServer small;
    private final TestProject project;
    private final TestProject there;

    LargeImportedHashIT(TestDatabase database) {
        large = TestServer.start(database, Map.of());
        small = TestServer.startOn(
                large.databaseUrl(),
                Map.of("VESTIBULE_PASSWORDS_HEAP_BUDGET", "8192", "VESTIBULE_PASSWORDS_NATIVE_BUDGET", "4096"),
                Clock.tickMillis(ZoneOffset.UTC));
        project = large.newProject();
        there = project.at(small);
    }

    @AfterEach
    void stop() {
        small.close();
        large.close();
    }

    private static Call create(TestProject at, String email, String hash) {
        return at.manage("POST", "/v1/dashboard/users").json(Map.of("email", email, "passwordHash", hash));
    }

    @Test
    void aHashThatExceedsTheNodesMemoryIsNotImported() {
        var refused = create(there, "ann@example.com", LARGE.hash()).expect(422);
        assertThat(refused.body()).contains("(the server's setting passwords.heapBudget)");
        var line = "{\"email\":\"ann@example.com\",\"passwordHash\":\"" + LARGE.hash() + "\"}";
        assertThat(there.manage("POST", "/v1/dashboard/users/import")
                        .raw("application/x-ndjson", line)
                        .expect(200)
                        .body())
                .contains("passwords.heapBudget", "\"failed\":1");
    }

    @Test
    void aSignInThatExceedsTheNodesMemoryIsRefusedAndOthersContinue() {
        create(project, "ann@example.com", LARGE.hash()).expect(201);
        var other = large.newProject();
        other.signUp("bob@example.com");

        var storm = Parallel.send(8, number -> there.trySignIn("ann@example.com", LARGE.password()));
        assertThat(storm).extracting(Response::status).containsOnly(503);
        assertThat(storm.get(0).header("Retry-After")).isPresent();
        assertThat(storm.get(0).body()).contains("cannot be verified").doesNotContain("scrypt", "KiB");
        other.at(small).signIn("bob@example.com");
        Eventually.until("it is counted", () -> small.metric("vestibule_hashing_too_large_total") == 8);
        project.trySignIn("ann@example.com", LARGE.password()).expect(200);
    }

    /** Otherwise the refusal would reveal which emails were imported. */
    @Test
    void noResponseToAWrongPasswordRevealsWhoseHashIsTooLarge() {
        create(project, "ann@example.com", LARGE.hash()).expect(201);
        create(project, "cy@example.com", Vector.of("bcrypt 2b").hash()).expect(201);
        project.signUp("bob@example.com");

        var ofLarge = there.trySignIn("ann@example.com", "wrong password").expect(503);
        for (var email : new String[] {"bob@example.com", "cy@example.com", "nobody@example.com"}) {
            assertThat(there.trySignIn(email, "wrong password").expect(503).body())
                    .isEqualTo(ofLarge.body());
        }
        there.signIn("bob@example.com");
        there.trySignIn("cy@example.com", Vector.of("bcrypt 2b").password()).expect(200);
    }

    /** Otherwise guesses for all other accounts of this project would cost nothing. */
    @Test
    void aRefusalForLackOfMemoryCountsAsAFailedSignIn() {
        create(project, "ann@example.com", LARGE.hash()).expect(201);
        project.signUp("bob@example.com");
        for (int i = 0; i < 10; i++) {
            there.trySignIn("bob@example.com", "wrong password " + i).expect(503);
        }
        project.trySignIn("nobody@example.com", "wrong password").expect(401);
        assertThat(large.sql()
                        .count(
                                "SELECT count(*) FROM sign_in_failures WHERE project_id = ?::uuid AND locked_until > now()",
                                project.id()))
                .isEqualTo(1);
    }

    @Test
    void aUserWithATooLargeHashCanSetANewPassword() {
        create(project, "ann@example.com", LARGE.hash()).expect(201);
        there.trySignIn("ann@example.com", LARGE.password()).expect(503);
        var id = project.manage("GET", "/v1/dashboard/users?search=ann")
                .expect(200)
                .text("users/0/id");
        there.manage("PATCH", "/v1/dashboard/users/" + id)
                .json(Map.of("password", TestProject.PASSWORD))
                .expect(200);
        there.signIn("ann@example.com");
    }
}
