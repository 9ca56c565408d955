package dev.vestibule.journal.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Parallel;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An attack that is faster than the server can write its entries. */
@ExtendWith(WithServer.class)
class DroppedEntriesIT {
    private static final int ROOM = 100;
    private static final int ATTACK = 150;
    private static final int MAX_ATTACKS = 20;

    private static final String COUNTED = """
            SELECT coalesce(sum((metadata ->> 'count')::bigint), 0) FROM audit_log
            WHERE project_id = ?::uuid AND event = 'audit.entries_dropped' AND actor_type = 'system'
            """;
    private static final String WRITTEN = """
            SELECT count(*) FROM audit_log WHERE project_id = ?::uuid AND event = 'auth.signin.failed'
            """;
    private static final String CHANGES = """
            SELECT event FROM audit_log
            WHERE project_id = ?::uuid AND event LIKE 'auth.sign%' AND event <> 'auth.signin.failed'
            ORDER BY created_at, id
            """;

    private final TestDatabase database;

    DroppedEntriesIT(TestDatabase database) {
        this.database = database;
    }

    @Test
    void entriesThatDoNotFitAreCountedAndNothingElseSuffers() {
        var settings = Map.of(
                "VESTIBULE_AUDIT_NOTE_QUEUE", Integer.toString(ROOM),
                "VESTIBULE_AUDIT_NOTE_MILLIS", "5000",
                "VESTIBULE_LIMITS_ENABLED", "false");
        try (var server = TestServer.start(database, settings)) {
            var project = server.newProject();
            var email = TestServer.newEmail();
            project.signUp(email);
            var sent = attackUntilEntriesAreDropped(server, project);
            var user = project.signIn(email);
            project.refresh(user.refreshToken()).expect(200);
            project.signOut(user.accessToken()).expect(200);

            assertThat(server.sql().texts(CHANGES, project.id()))
                    .as("what changes something is written with it, however full the memory is")
                    .containsExactly("auth.signup", "auth.signin", "auth.signout");
            Eventually.until(
                    "every one is written or counted",
                    () -> server.sql().count(WRITTEN, project.id())
                                    + server.sql().count(COUNTED, project.id())
                            == sent);
            assertThat(server.sql().count(COUNTED, project.id())).isEqualTo(dropped(server));
        }
    }

    /** On a slow machine, the queue may be written in the middle of an attack. Returns how many guesses it took. */
    private static long attackUntilEntriesAreDropped(TestServer server, TestProject project) {
        for (int attack = 1; attack <= MAX_ATTACKS; attack++) {
            assertThat(Parallel.send(
                            ATTACK,
                            number -> project.trySignIn("nobody-" + number + "@example.com", "not the password")))
                    .allMatch(answer -> answer.status() == 401);
            if (dropped(server) > 0) {
                return (long) attack * ATTACK;
            }
        }
        throw new AssertionError("nothing was dropped");
    }

    private static long dropped(TestServer server) {
        return (long) server.metric("vestibule_audit_dropped_total");
    }
}
