package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.WebhookId;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final Instant NOW = Instant.parse("2026-01-15T10:30:00Z");
    private static final UUID HOLDER = UUID.randomUUID();
    private static final int PLACES = 80;
    private static final int CLAIMS = 1000;
    private static final int SHARE = CLAIMS / 5;

    private int timesLow;
    private final Backlog backlog = new Backlog(new Backlog.Limits(PLACES, 20, CLAIMS), () -> timesLow++);

    private static Endpoint endpoint() {
        return new Endpoint(
                new ProjectId(UUID.randomUUID()), WebhookId.next(), "", null, Buffer.buffer(), null, null, null);
    }

    /** An endpoint that has accepted a delivery. */
    private Endpoint healthyEndpoint() {
        var endpoint = endpoint();
        claim(endpoint, 1);
        deliver(startAll());
        return endpoint;
    }

    private void claim(Endpoint endpoint, int count) {
        backlog.addAll(
                IntStream.range(0, count)
                        .mapToObj(i -> new Claim(endpoint, UUID.randomUUID(), 0, "", HOLDER, NOW))
                        .toList(),
                backlog.claimLimits(backlog.room()));
    }

    private int claimable(Endpoint endpoint) {
        return backlog.claimLimits(backlog.room()).of(endpoint);
    }

    private List<Claim> startAll() {
        var started = new ArrayList<Claim>();
        for (var next = backlog.next(); next.isPresent(); next = backlog.next()) {
            started.add(next.get());
        }
        return started;
    }

    private void end(Claim claim, @Nullable Integer status) {
        backlog.ended(new Attempt(claim, NOW, Duration.ofMillis(1), status, null, null, Optional.empty(), true));
    }

    private void deliver(List<Claim> claims) {
        claims.forEach(claim -> end(claim, 200));
    }

    @Test
    void aHealthyEndpointGetsAFixedNumberOfAttemptsAtOnce() {
        claim(healthyEndpoint(), 100);
        var started = startAll();
        assertThat(started).hasSize(20);
        deliver(started);
        assertThat(startAll()).hasSize(20);
    }

    @Test
    void anEndpointGetsFewAttemptsAtOnceUntilItAccepts() {
        claim(endpoint(), 100);
        var started = startAll();
        assertThat(started).hasSize(4);
        end(started.get(0), 500);
        assertThat(startAll()).hasSize(1);
        end(started.get(1), 200);
        assertThat(startAll()).hasSize(17);
    }

    @Test
    void anEndpointThatHangsGetsFewAttemptsAndFewClaims() {
        var endpoint = healthyEndpoint();
        assertThat(claimable(endpoint)).isEqualTo(SHARE);
        claim(endpoint, 30);
        startAll().forEach(claim -> end(claim, null));

        assertThat(claimable(endpoint)).isEqualTo(10);
        assertThat(startAll()).hasSize(4);
    }

    @Test
    void anEndpointIsClaimedUpToItsShareOfTheRoom() {
        var endpoint = healthyEndpoint();
        claim(endpoint, 30);
        assertThat(claimable(endpoint)).isEqualTo((CLAIMS - 30) / 5 - 30);
        claim(endpoint, 170);
        assertThat(claimable(endpoint)).isZero();
    }

    @Test
    void fewDeliveriesOfAnUnknownEndpointAreClaimed() {
        assertThat(claimable(endpoint())).isEqualTo(20);
        assertThat(backlog.claimLimits(50).of(endpoint())).isEqualTo(10);
        assertThat(backlog.claimLimits(1).of(endpoint())).isOne();
    }

    @Test
    void hangingEndpointsTogetherLeaveAPlaceForTheNext() {
        var all = Stream.generate(this::healthyEndpoint).limit(30).toList();
        all.forEach(endpoint -> claim(endpoint, 30));
        startAll();
        assertThat(backlog.inFlight()).isLessThan(PLACES);

        claim(endpoint(), 10);
        assertThat(startAll()).isNotEmpty();
    }

    @Test
    void endpointsTakeTurns() {
        var first = endpoint();
        var second = endpoint();
        claim(first, 10);
        claim(second, 10);

        assertThat(startAll().stream().map(claim -> claim.endpoint()))
                .containsExactly(first, second, first, second, first, second, first, second);
    }

    @Test
    void aQueueAsksForMoreOnceWhenHalfIsUsedUp() {
        claim(healthyEndpoint(), SHARE);
        while (backlog.waiting() > SHARE / 2 + 20) {
            deliver(startAll());
        }
        assertThat(timesLow).isZero();

        deliver(startAll());
        assertThat(timesLow).isOne();
        while (backlog.waiting() > 0) {
            deliver(startAll());
        }
        assertThat(timesLow).isOne();
    }

    @Test
    void aQueueDoesNotAskForMoreIfTheDatabaseHasNoMore() {
        claim(healthyEndpoint(), SHARE - 1);
        while (backlog.waiting() > 0) {
            deliver(startAll());
        }
        assertThat(timesLow).isZero();
    }

    @Test
    void aQueueAsksForMoreAfterAClaimThatHadNoRoomForIt() {
        claim(healthyEndpoint(), SHARE);
        claim(endpoint(), 1);
        while (backlog.waiting() > 0) {
            deliver(startAll());
        }
        assertThat(timesLow).isOne();
    }

    @Test
    void anEndpointThatHasUsedUpItsClaimsStaysHealthy() {
        var endpoint = healthyEndpoint();
        assertThat(claimable(endpoint)).isEqualTo(SHARE);
        claim(endpoint, 30);
        backlog.removeIdle();
        assertThat(startAll()).hasSize(20);
    }

    @Test
    void onlyIdleEndpointsAreForgotten() {
        var idle = endpoint();
        var busy = endpoint();
        claim(idle, 1);
        claim(busy, 1);
        var started = startAll();
        end(started.get(0), 200);
        backlog.removeIdle();

        assertThat(backlog.claimLimits(CLAIMS).perKnownEndpoint())
                .containsOnlyKeys(busy.id().value());
        end(started.get(1), 200);
    }

    @Test
    void deliveriesOfChangedProjectsAreDropped() {
        var endpoint = endpoint();
        var other = endpoint();
        claim(endpoint, 30);
        claim(other, 30);
        var started = startAll();

        assertThat(backlog.drop(endpoint.project()::equals)).hasSize(26);
        assertThat(backlog.waiting()).isEqualTo(26);
        deliver(started);
        assertThat(startAll()).allMatch(claim -> claim.endpoint().equals(other)).hasSize(20);
        assertThat(backlog.room()).isEqualTo(974);
    }
}
