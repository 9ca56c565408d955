package dev.vestibule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.fixture.ApiClient;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.ReplicatedPostgres;
import dev.vestibule.fixture.Standstill;
import dev.vestibule.fixture.TakesLong;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node on a primary and its synchronous standby, which takes over when the primary is killed. */
@TakesLong("Two PostgreSQLs replicate, fail and are promoted.")
class FailoverIT {
    private static final Logger LOG = LoggerFactory.getLogger(FailoverIT.class);
    private static final int ENOUGH = 50;
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(5);

    private final ReplicatedPostgres postgres;
    private final TestServer server;
    private final TestProject project;
    private final Queue<String> revoked = new ConcurrentLinkedQueue<>();

    FailoverIT(@TempDir Path folder) {
        postgres = ReplicatedPostgres.start(folder);
        server = TestServer.startOn(postgres.url(), TestServer.USUAL_DATABASE_WAITS, Clock.tickMillis(ZoneOffset.UTC));
        project = server.newProject();
    }

    @AfterEach
    void leaveNothingRunning() {
        server.close();
        postgres.close();
    }

    @Test
    void aFailoverLosesNothingThatWasAnsweredAndTakesFiveSecondsMoreThanThePromotion() {
        var storm = new SignUpStorm(project);
        try (var standstill = Standstill.watch()) {
            var signOuts = CompletableFuture.runAsync(() -> signOutWhile(storm));
            Eventually.until("there is traffic", () -> storm.answered() >= ENOUGH && revoked.size() >= ENOUGH);

            var killedAt = System.nanoTime();
            postgres.first().kill();
            var before = storm.answered();
            postgres.second().promote();
            var promotedAt = System.nanoTime();
            var lostBefore = standstill.lost();
            var atPromotion = storm.answered();
            Eventually.until("sign ups are answered", () -> storm.answered() > atPromotion + SignUpStorm.CLIENTS);
            var answeredAt = System.nanoTime();
            Eventually.until("sign ups are answered again", () -> storm.answered() >= before + ENOUGH);
            storm.end();
            signOuts.join();

            var lost = standstill.lost().minus(lostBefore);
            var recovery = Duration.ofNanos(Math.max(answeredAt, storm.lastFailureNanos()) - promotedAt)
                    .minus(lost);
            LOG.info(
                    "Promoted after {} ms, all was well {} ms later, without {} ms of standstill; answers {}, sign outs {}",
                    Duration.ofNanos(promotedAt - killedAt).toMillis(),
                    recovery.toMillis(),
                    lost.toMillis(),
                    storm.statuses(),
                    revoked.size());
            assertThat(recovery).isLessThan(RECOVERY_LIMIT);
            assertThat(storm.statuses().keySet()).isSubsetOf(201, 503);
            assertThat(storm.brokenPromises(project)).isEmpty();
            assertThat(revoked).allSatisfy(token -> project.me(token).expect(401));
        } finally {
            storm.end();
        }
    }

    /** Where an engine hides its timeline, a replaced primary looks like the new one, and the engine must stop it. */
    @Test
    @Tag("timeline")
    void aReplacedPrimaryIsNotTrustedWhenItComesBack() {
        var revokedLater = project.signUp().accessToken();
        failOver();
        project.signOut(revokedLater).expect(200);
        var live = project.signUp().accessToken();

        postgres.first().startAsPrimary();
        var usersThere = users(postgres.first());
        postgres.second().kill();
        Eventually.until("the node has asked it", () -> {
            assertThat(project.me(revokedLater).send().status()).isIn(401, 503);
            return postgres.first().hasClients();
        });
        IntStream.range(0, ENOUGH).forEach(again -> project.me(revokedLater).expect(503));
        postgres.second().startAsPrimary();

        Eventually.until(
                "the new primary is used again", () -> project.me(live).send().status() == 200);
        project.me(revokedLater).expect(401);
        project.signUp();
        assertThat(users(postgres.first())).isEqualTo(usersThere);
    }

    @Test
    void aPrimaryThatComesBackAsAStandbyIsUsedWhenItIsPromotedInItsTurn() {
        var accessToken = project.signUp().accessToken();
        failOver();
        postgres.first().startAsStandbyOf(postgres.second());
        postgres.second().disconnectClients();
        Eventually.until(
                "the new primary is used again",
                () -> project.me(accessToken).send().status() == 200);
        project.signOut(accessToken).expect(200);
        var users = users(postgres.second());
        Eventually.until(
                "the standby has caught up", () -> users(postgres.first()).equals(users));

        postgres.second().kill();
        postgres.first().promote();

        Eventually.until("sign ups are answered again", this::canSignUp);
        project.me(accessToken).expect(401);
    }

    /** Signs up and out again, and records each access token whose sign out got a 200. */
    private void signOutWhile(SignUpStorm storm) {
        while (!storm.isEnding()) {
            var signedUp = trySignUp().send();
            if (signedUp.status() == 201) {
                var accessToken = signedUp.accessToken();
                if (project.signOut(accessToken).send().status() == 200) {
                    revoked.add(accessToken);
                }
            }
        }
    }

    private void failOver() {
        postgres.first().kill();
        postgres.second().promote();
        Eventually.until("the new primary is used", this::canSignUp);
    }

    private boolean canSignUp() {
        return trySignUp().send().status() == 201;
    }

    private ApiClient.Call trySignUp() {
        return project.post("/v1/auth/signup")
                .json(Map.of("email", TestServer.newEmail(), "password", TestProject.PASSWORD));
    }

    private static String users(ReplicatedPostgres.Node at) {
        return at.text("SELECT count(*) FROM users");
    }
}
