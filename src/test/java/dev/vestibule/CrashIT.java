package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.JarCommand;
import dev.vestibule.fixture.JarServer;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.PostgresProcesses;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sign up that was answered with 201 survives any kill, and the next one; {@code -Dcrash.rounds=10} kills more often.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TakesLong("Four victims are killed under load, and each time the server has to come back.")
class CrashIT {
    private static final Logger LOG = LoggerFactory.getLogger(CrashIT.class);
    private static final int ROUNDS = Integer.getInteger("crash.rounds", 1);
    private static final int SIGN_UPS = 100;

    /** A process that is killed with SIGKILL. */
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
    private final TestProject project;
    private JarServer server;

    CrashIT(@TempDir Path folder) {
        postgres = new PostgresProcesses(folder.resolve("data"));
        command = JarCommand.withDatabaseIn(folder).with("VESTIBULE_LIMITS_ENABLED", "false");
        server = command.start();
        project = server.firstProject();
    }

    @ParameterizedTest
    @EnumSource
    void noAnsweredSignUpIsLost(Victim victim) {
        for (int round = 1; round <= ROUNDS; round++) {
            crash(victim, at(server), round);
        }
    }

    /** Crashes after a person's consent and before the first token, and right after a refresh. */
    @Test
    void noCodeDeviceOrRefreshTokenOfAnApplicationIsLostOrRevived() {
        var project = at(server);
        var email = TestServer.newEmail();
        project.signUp(email);
        var client = OauthBrowser.register(project, "native", Map.of("redirectUris", List.of(OauthBrowser.APP)))
                .text("clientId");
        var first = OauthBrowser.redeem(project, client, code(project, client, email), 200);
        var next = refresh(project, client, first).expect(200);
        var device = OauthBrowser.post(
                project, "/oauth/device_authorization", Map.of("client_id", client, "scope", "openid"), 200);
        var phone = new OauthBrowser(project);
        phone.get(URI.create(device.text("verification_uri")).getPath());
        phone.follow(phone.submit("device", Map.of("code", device.text("user_code"))));
        phone.signIn(email);
        phone.submit("consent", Map.of("decision", "allow"));
        var code = code(project, client, email);

        kill(Victim.SERVER_AND_POSTMASTER);
        startAgain();

        var after = at(server);
        OauthBrowser.redeem(after, client, code, 200);
        OauthBrowser.redeem(after, client, code, 400);
        var question = Map.of(
                "grant_type",
                "urn:ietf:params:oauth:grant-type:device_code",
                "client_id",
                client,
                "device_code",
                device.text("device_code"));
        OauthBrowser.token(after, question, 200);
        OauthBrowser.token(after, question, 400);
        var last = refresh(after, client, next).expect(200);
        refresh(after, client, last).expect(200);
    }

    private static String code(TestProject project, String client, String email) {
        return new OauthBrowser(project).code(client, email, Map.of("scope", "openid offline_access"));
    }

    private static ApiClient.Call refresh(TestProject project, String client, ApiClient.Response tokens) {
        return OauthBrowser.call(project, OauthBrowser.refreshForm(client, tokens.text("refresh_token")));
    }

    /** After all kills, it still ends by itself. */
    @AfterAll
    void stop() {
        try {
            server.close();
        } finally {
            server.kill();
            postgres.kill();
        }
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
            assertThat(storm.brokenPromises(at(server))).isEmpty();
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

    private TestProject at(JarServer server) {
        return project.through(server.api());
    }
}
