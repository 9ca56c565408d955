package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.PostgresProcesses;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestProject;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A sign up that was answered with 201 survives any kill; {@code -Dcrash.rounds=10} kills more often. */
@TakesLong("Four victims are killed twice under load, and each time the server has to come back.")
class CrashIT {
    private static final Logger LOG = LoggerFactory.getLogger(CrashIT.class);
    private static final int ROUNDS = Integer.getInteger("crash.rounds", 2);
    private static final int SIGN_UPS = 100;

    /** What is killed with SIGKILL. */
    enum Victim {
        SERVER,
        POSTMASTER,
        BACKEND,
        SERVER_AND_POSTMASTER;

        boolean isServer() {
            return this == SERVER || this == SERVER_AND_POSTMASTER;
        }
    }

    private final PostgresProcesses postgres;
    private final JarCommand command;
    private JarServer server;

    CrashIT(@TempDir Path folder) {
        postgres = new PostgresProcesses(folder.resolve("data"));
        command = JarCommand.withDatabaseIn(folder).with("VESTIBULE_LIMITS_ENABLED", "false");
        server = command.start();
    }

    @ParameterizedTest
    @EnumSource
    void noAnsweredSignUpIsLost(Victim victim) {
        var project = server.firstProject();
        for (int round = 1; round <= ROUNDS; round++) {
            crash(victim, at(server, project), round);
        }
        server.close();
    }

    @AfterEach
    void leaveNothingRunning() {
        server.kill();
        postgres.kill();
    }

    private void crash(Victim victim, TestProject project, int round) {
        var storm = new SignUpStorm(project);
        try {
            Eventually.until("the storm is under way", () -> storm.answered() >= SIGN_UPS);
            var killedAt = System.nanoTime();
            kill(victim);
            var backAt = victim.isServer() ? startAgain() : awaitRecovery(storm);
            storm.end();
            LOG.info(
                    "{} killed, round {}: answers {}, back after {} ms",
                    victim,
                    round,
                    storm.statuses(),
                    Duration.ofNanos(Math.max(0, backAt - killedAt)).toMillis());
            assertThat(storm.statuses().keySet()).as("statuses").isSubsetOf(201, 503);
            assertThat(storm.brokenPromises(at(server, project))).isEmpty();
        } finally {
            storm.end();
        }
    }

    private void kill(Victim victim) {
        switch (victim) {
            case SERVER -> server.kill();
            case POSTMASTER -> postgres.kill();
            case BACKEND -> postgres.backend().orElseThrow().destroyForcibly();
            case SERVER_AND_POSTMASTER -> {
                postgres.postmaster().orElseThrow().destroyForcibly();
                server.kill();
            }
        }
    }

    private long startAgain() {
        server = command.start();
        return System.nanoTime();
    }

    /** The server must recover by itself. */
    private static long awaitRecovery(SignUpStorm storm) {
        var answered = storm.answered();
        Eventually.until("sign ups are answered again", () -> storm.answered() >= answered + SIGN_UPS);
        return storm.lastFailureNanos();
    }

    private static TestProject at(JarServer server, TestProject project) {
        return project.through(server.api());
    }
}
