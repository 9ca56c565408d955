package dev.vestibule.webhook.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.WebhookId;
import dev.vestibule.webhook.delivery.Attempt.Kind;
import dev.vestibule.webhook.delivery.ClaimStore.Portion;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final Instant NOW = Instant.parse("2026-01-15T10:30:00Z");
    private static final int AHEAD = 50;
    private static final Portion PORTION =
            new Portion(100, NOW.minusSeconds(60), 4, AHEAD, AHEAD, Set.of(), List.of(), 1000);

    private static final int PLACES = 80;

    private final Backlog backlog = new Backlog(new Backlog.Limits(PLACES, 20, 1000));

    private static Endpoint endpoint(@Nullable Instant failingSince) {
        return new Endpoint(
                new ProjectId(UUID.randomUUID()), WebhookId.next(), "", Buffer.buffer(), null, null, failingSince);
    }

    private void claim(Endpoint endpoint, int count) {
        backlog.addAll(
                IntStream.range(0, count)
                        .mapToObj(i -> new Claim(endpoint, UUID.randomUUID(), 0, "", NOW))
                        .toList(),
                PORTION);
    }

    private List<Claim> startAll() {
        var started = new ArrayList<Claim>();
        for (var next = backlog.next(); next.isPresent(); next = backlog.next()) {
            started.add(next.get());
        }
        return started;
    }

    private List<Claim> end(Claim claim, Kind kind, @Nullable Integer status) {
        return backlog.ended(new Attempt(claim, NOW, Duration.ofMillis(1), status, null, null, Optional.empty(), kind));
    }

    private void deliver(List<Claim> claims) {
        claims.forEach(claim -> end(claim, Kind.ANSWERED, 200));
    }

    @Test
    void anEndpointThatAcceptsIsSentMoreAndMoreAtOnce() {
        claim(endpoint(null), 200);
        var started = startAll();
        assertThat(started).hasSize(4);
        for (int turn = 0; turn < 5; turn++) {
            deliver(started);
            started = startAll();
        }
        assertThat(started).hasSize(20);
    }

    @Test
    void anEndpointThatHoldsAnAttemptGetsOneAtATimeAndGivesBackTheRest() {
        claim(endpoint(null), 100);
        var started = startAll();
        var given = new ArrayList<Claim>();
        started.forEach(claim -> given.addAll(end(claim, Kind.HELD, null)));

        assertThat(given).hasSize(100 - 4 - 4);
        assertThat(backlog.waiting()).isEqualTo(4);
        assertThat(startAll()).hasSize(1);
    }

    @Test
    void hangingEndpointsLeaveAPlaceForTheNext() {
        var all = IntStream.range(0, 30).mapToObj(i -> endpoint(null)).toList();
        all.forEach(endpoint -> claim(endpoint, 30));
        for (int turn = 0; turn < 5; turn++) {
            deliver(startAll()); // all have proved to be good, and now hang together
        }
        startAll();
        assertThat(backlog.inFlight()).isLessThan(PLACES);

        claim(endpoint(null), 10);
        assertThat(startAll()).isNotEmpty();
    }

    @Test
    void endpointsTakeTurns() {
        var first = endpoint(null);
        var second = endpoint(null);
        claim(first, 10);
        claim(second, 10);

        assertThat(startAll().stream().map(claim -> claim.endpoint()))
                .containsExactly(first, second, first, second, first, second, first, second);
    }

    @Test
    void whoHasEnoughIsFullAndAsksOnceWhenAQuarterIsUsedUp() {
        var endpoint = endpoint(null);
        claim(endpoint, AHEAD);
        assertThat(backlog.full()).containsExactly(endpoint.id().value());
        assertThat(backlog.takeHunger()).isFalse();

        while (!backlog.full().isEmpty()) {
            deliver(startAll());
        }
        assertThat(backlog.takeHunger()).isTrue();
        deliver(startAll());
        assertThat(backlog.takeHunger()).isFalse();
    }

    @Test
    void anEndpointThatHasSentOffAllThatItHeldDoesNotStartSlowlyAgain() {
        var endpoint = endpoint(null);
        claim(endpoint, 12);
        backlog.walkEnded();
        deliver(startAll());
        deliver(startAll());
        assertThat(backlog.inFlight() + backlog.waiting()).isZero();
        assertThat(backlog.proven()).containsExactly(endpoint.id().value());

        claim(endpoint, 30);
        backlog.walkEnded();
        assertThat(startAll()).hasSize(20);
    }

    @Test
    void whomAWalkGivesNothingIsForgotten() {
        var endpoint = endpoint(null);
        claim(endpoint, 12);
        deliver(startAll());
        deliver(startAll());

        backlog.walkEnded();
        assertThat(backlog.proven()).isEmpty();
        claim(endpoint, 30);
        assertThat(startAll()).hasSize(4);
    }

    @Test
    void whatChangedIsTakenOut() {
        var endpoint = endpoint(null);
        var other = endpoint(null);
        claim(endpoint, 10);
        claim(other, 10);
        var started = startAll();

        assertThat(backlog.drop(endpoint.project()::equals)).hasSize(6);
        assertThat(backlog.waiting()).isEqualTo(6);
        deliver(started);
        assertThat(startAll()).allMatch(claim -> claim.endpoint().equals(other)).hasSize(6);
        assertThat(backlog.room()).isEqualTo(994);
    }
}
