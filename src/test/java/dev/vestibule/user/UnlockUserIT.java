package dev.vestibule.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.TestClock;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Support unlocks a user whom wrong guesses have locked out. */
@ExtendWith(WithServer.class)
class UnlockUserIT {
    private static final int LIMIT = 10;
    private static final Duration LOCK = Duration.ofMinutes(15);
    private static final String WRONG = "not the password";

    private final TestClock clock = new TestClock();
    private final TestServer server;
    private final TestServer other;
    private final TestProject project;
    private final String email = TestServer.newEmail();
    private final String user;

    UnlockUserIT(TestDatabase database) {
        server = TestServer.start(database, Map.of(), clock);
        other = TestServer.startOn(server.databaseUrl(), Map.of(), clock);
        project = server.newProject();
        user = "/v1/dashboard/users/" + project.signUp(email).text("user/id");
    }

    @AfterEach
    void stop() {
        other.close();
        server.close();
    }

    private void lock() {
        for (int i = 0; i < LIMIT; i++) {
            project.trySignIn(email, WRONG).expect(401);
        }
        project.trySignIn(email, TestProject.PASSWORD).expect(429);
    }

    private String lockedUntil() {
        return project.manage("GET", user).expect(200).text("lockedUntil");
    }

    @Test
    void anUnlockedUserSignsInAtOnceOnEveryNodeAndHasAllAttemptsAgain() {
        lock();

        project.at(other).manage("POST", user + "/unlock").expect(200);

        for (int i = 1; i < LIMIT; i++) {
            project.trySignIn(email, WRONG).expect(401);
        }
        project.signIn(email);
    }

    @Test
    void aPasswordSetByManagementUnlocksToo() {
        lock();

        project.manage("PATCH", user)
                .json(Map.of("password", "a password by phone"))
                .expect(200);

        project.trySignIn(email, "a password by phone").expect(200);
        assertThat(lockedUntil()).isEqualTo("null");
    }

    @Test
    void otherChangesByManagementUnlockNothing() {
        lock();

        project.manage("PATCH", user).json(Map.of("displayName", "Ann")).expect(200);

        project.trySignIn(email, TestProject.PASSWORD).expect(429);
    }

    @Test
    void theUserDetailsShowHowLongTheLockLasts() {
        assertThat(lockedUntil()).isEqualTo("null");
        lock();

        assertThat(Instant.parse(lockedUntil())).isEqualTo(clock.instant().plus(LOCK));

        clock.advance(LOCK);
        assertThat(lockedUntil()).isEqualTo("null");
    }

    @Test
    void theListShowsWhoIsLockedOutAndUntilWhen() {
        var free = project.signUp().text("user/email");
        project.manage("POST", "/v1/dashboard/users")
                .json(Map.of("externalId", "without-email", "phone", "+4915112345678"))
                .expect(201);
        var another = server.newProject();
        another.signUp(email);
        lock();

        assertThat(listed(project))
                .containsEntry(email, clock.instant().plus(LOCK).toString())
                .containsEntry(free, "null")
                .containsEntry("null", "null");
        assertThat(listed(another)).containsEntry(email, "null");
        clock.advance(LOCK);
        assertThat(listed(project)).containsEntry(email, "null");
    }

    private static Map<String, String> listed(TestProject project) {
        var locks = new HashMap<String, String>();
        project.manage("GET", "/v1/dashboard/users")
                .expect(200)
                .json()
                .path("users")
                .forEach(user -> locks.put(
                        user.path("email").asText(), user.path("lockedUntil").asText()));
        return locks;
    }

    @Test
    void anOwnerUnlocksAndAViewerDoesNot() {
        lock();
        var path = user + "/unlock?projectId=" + project.id();

        server.api().post(path).bearer(server.newMember(project, "viewer")).expect(403);
        server.api().post(path).bearer(server.newDashboardUser()).expect(404);
        project.trySignIn(email, TestProject.PASSWORD).expect(429);

        server.api().post(path).bearer(project.owner()).expect(200);
        project.signIn(email);
    }

    @Test
    void aBanOutlivesAnUnlock() {
        project.manage("PATCH", user + "/ban").expect(200);

        project.manage("POST", user + "/unlock").expect(200);

        project.trySignIn(email, TestProject.PASSWORD).expect(403);
    }

    @Test
    void theSameEmailInAnotherProjectStaysLocked() {
        var neighbour = server.newProject();
        neighbour.signUp(email);
        for (int i = 0; i < LIMIT; i++) {
            neighbour.trySignIn(email, WRONG).expect(401);
        }

        project.manage("POST", user + "/unlock").expect(200);

        neighbour.trySignIn(email, TestProject.PASSWORD).expect(429);
    }
}
