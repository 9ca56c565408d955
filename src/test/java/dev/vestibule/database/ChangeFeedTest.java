package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.database.ChangeStore.Reading;
import dev.vestibule.error.ApiException;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.LoggedLines;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which responses of a database the feed trusts. */
class ChangeFeedTest {
    private static final String SERVER = "2026-01-15 10:00:00.123456+00 192.0.2.1 5432 a session";
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Instant NOW = Instant.parse("2026-01-15T10:30:00Z");
    private static final Reading USUAL = new Reading(SERVER, NOW, "10:10:", true, List.of(), List.of(), List.of());

    private final Vertx vertx = Vertx.vertx();
    private final ChangeFeed feed = new ChangeFeed(vertx, List.of(), LONG, LONG);
    private final RecordedChanges heard = new RecordedChanges();
    private final AtomicInteger heartbeats = new AtomicInteger();
    private volatile Supplier<Future<Reading>> database = () -> Future.succeededFuture(USUAL);
    private volatile @Nullable String lastSnapshot;

    ChangeFeedTest() {
        feed.subscribe(heard);
        feed.start(this::read).await();
        heard.missed.set(0);
    }

    @AfterEach
    void stop() {
        feed.close();
        vertx.close().await();
    }

    private Future<Reading> read(@Nullable String snapshot) {
        lastSnapshot = snapshot;
        heartbeats.incrementAndGet();
        return database.get();
    }

    private void answer(Reading reading) {
        database = () -> Future.succeededFuture(reading);
        awaitHeartbeats();
    }

    /** The first may already have been in flight. */
    private void awaitHeartbeats() {
        var before = heartbeats.get();
        Eventually.until("three heartbeats", () -> heartbeats.get() >= before + 3);
    }

    @Test
    void eachHeartbeatContinuesFromTheLastSnapshot() {
        answer(new Reading(SERVER, NOW, "12:15:13", true, List.of(), List.of(), List.of()));

        assertThat(lastSnapshot).isEqualTo("12:15:13");
        Eventually.until("it is up to date", feed::isUpToDate);
        assertThat(heard.missed).hasValue(0);
    }

    @Test
    void aStandbyIsNotTrusted() {
        var epoch = feed.epoch();
        answer(new Reading("", NOW, "10:10:", true, List.of(), List.of(), List.of()));

        assertThat(feed.isUpToDate()).isFalse();
        assertThat(heard.missed).hasValue(1);
        assertThat(feed.epoch()).isGreaterThan(epoch);
        assertThat(lastSnapshot).isNull();

        answer(USUAL);
        Eventually.until("it is up to date", feed::isUpToDate);
        assertThat(heard.missed)
                .as("emptied once more, for what was changed in between")
                .hasValue(2);
    }

    @Test
    void aFeedThatNeverWorkedWarnsOnce() {
        try (var lines = new LoggedLines(Heartbeat.class)) {
            var tries = new AtomicInteger();
            var broken = new ChangeFeed(vertx, List.of(), LONG, LONG);
            broken.start(snapshot -> {
                tries.incrementAndGet();
                return Future.failedFuture("no such table");
            });
            Eventually.until("three readings", () -> tries.get() >= 3);
            broken.close();
            assertThat(lines.text())
                    .containsOnlyOnce("The change feed cannot be read")
                    .contains("no such table");
        }
    }

    @Test
    void anotherRunOfTheServerEmptiesTheCachesOnce() {
        answer(new Reading(
                SERVER.replace("a session", "another session"), NOW, "10:10:", true, List.of(), List.of(), List.of()));

        Eventually.until("it is up to date", feed::isUpToDate);
        assertThat(heard.missed).hasValue(1);
    }

    @Test
    void aServerWithOlderDataEmptiesTheCaches() {
        answer(new Reading(SERVER, NOW, "5:5:", false, List.of(), List.of(), List.of()));

        assertThat(heard.missed.get()).isPositive();
    }

    @Test
    void aPauseAfterWhichChangesMayHaveBeenPurgedEmptiesTheCaches() {
        answer(new Reading(SERVER, NOW.plus(Duration.ofMinutes(4)), "10:10:", true, List.of(), List.of(), List.of()));
        assertThat(heard.missed).hasValue(0);

        answer(new Reading(SERVER, NOW.plus(Duration.ofMinutes(9)), "10:10:", true, List.of(), List.of(), List.of()));
        assertThat(heard.missed).hasValue(1);
    }

    @Test
    void moreChangesThanTheLimitEmptyTheCaches() {
        var project = UUID.randomUUID();
        answer(new Reading(
                SERVER,
                NOW,
                "10:10:",
                true,
                Collections.nCopies(ChangeStore.MAX_READ + 1, project),
                List.of(),
                List.of()));

        assertThat(heard.missed.get()).isPositive();
        assertThat(heard.projects).isEmpty();
    }

    @Test
    void nothingIsTrustedWhileTheDatabaseIsSilent() {
        Promise<Reading> silent = Promise.promise();
        database = silent::future;

        Eventually.until("the feed is not up to date", () -> !feed.isUpToDate());
        assertThat(heard.missed).hasValue(0);

        var project = UUID.randomUUID();
        silent.complete(new Reading(SERVER, NOW, "11:11:", true, List.of(project), List.of(), List.of()));
        Eventually.until("it goes on where it was", () -> heard.projects.contains(project));
        database = () -> Future.succeededFuture(USUAL);
        Eventually.until("it is up to date again", feed::isUpToDate);
        assertThat(heard.missed).hasValue(0);
    }

    /** Starts the feed, waits until it is idle, and returns the live list of the times of its heartbeats. */
    private static List<Long> startAndAwaitRest(ChangeFeed feed) {
        var sentAt = new CopyOnWriteArrayList<Long>();
        feed.start(snapshot -> {
                    sentAt.add(System.nanoTime());
                    return Future.succeededFuture(USUAL);
                })
                .await();
        Eventually.until("heartbeats become rare", () -> {
            var count = sentAt.size();
            return count > 2
                    && sentAt.get(count - 1) - sentAt.get(count - 2)
                            > Duration.ofMillis(450).toNanos();
        });
        return sentAt;
    }

    @Test
    void anIdleNodeSlowsDownAndWakesOnARequest() {
        var resting = new ChangeFeed(vertx, List.of(), Duration.ofMillis(100), LONG);
        var sentAt = startAndAwaitRest(resting);

        var before = sentAt.size();
        Eventually.until("heartbeats are frequent again", () -> {
            resting.isUpToDate();
            var count = sentAt.size();
            return count > before + 3
                    && sentAt.get(count - 1) - sentAt.get(count - 4)
                            < Duration.ofMillis(600).toNanos();
        });
        resting.close();
    }

    /** Otherwise every request would ask the database for cached data just when the database is already slow. */
    @Test
    void callersDuringALateHeartbeatWaitForTheNext() {
        var project = UUID.randomUUID();
        Promise<Reading> late = Promise.promise();
        database = late::future;
        Eventually.until("the feed is not up to date", () -> !feed.isUpToDate());
        var since = System.nanoTime();
        Eventually.until(
                "nor will the late heartbeat make it so",
                () -> System.nanoTime() - since > Duration.ofMillis(100).toNanos());

        var before = feed.catchUp();
        Promise<Reading> next = Promise.promise();
        database = next::future;
        late.complete(USUAL);
        assertThat(before.isComplete())
                .as("the late heartbeat knew nothing of it")
                .isFalse();
        next.complete(new Reading(SERVER, NOW, "11:11:", true, List.of(project), List.of(), List.of()));

        assertThat(before.await()).isTrue();
        assertThat(heard.projects).contains(project);
        database = () -> Future.succeededFuture(USUAL);
    }

    @Test
    void anIdleFeedIsWokenByTheFirstCallerThatWaits() {
        var resting = new ChangeFeed(vertx, List.of(), Duration.ofMillis(1), LONG);
        var sentAt = startAndAwaitRest(resting);
        var before = sentAt.size();

        assertThat(resting.catchUp().await()).isTrue();
        assertThat(sentAt).hasSizeGreaterThan(before);
        resting.close();
    }

    @Test
    void nobodyWaitsLongForASilentDatabase() {
        var impatient = new ChangeFeed(vertx, List.of(), LONG, Duration.ofMillis(20));
        Promise<Reading> silent = Promise.promise();
        impatient
                .start(snapshot -> snapshot == null ? Future.succeededFuture(USUAL) : silent.future())
                .await();
        Eventually.until("the feed is not up to date", () -> !impatient.isUpToDate());

        assertThat(impatient.catchUp().await()).isFalse();
        impatient.close();
    }

    /** A reading shows what was committed when it began, not when it arrived. */
    @Test
    void theAgeOfAHeartbeatCountsFromItsRequest() {
        var slow = new ChangeFeed(vertx);
        var upToDate = new AtomicInteger();
        var readings = new AtomicInteger();
        slow.start(snapshot -> {
                    var answer = Promise.<Reading>promise();
                    vertx.setTimer(120, answered -> {
                        answer.complete(USUAL);
                        readings.incrementAndGet();
                    });
                    return answer.future();
                })
                .await();

        Eventually.until("five heartbeats were answered", () -> {
            upToDate.addAndGet(slow.isUpToDate() ? 1 : 0);
            return readings.get() >= 5;
        });
        assertThat(upToDate).hasValue(0);
        slow.close();
    }

    @Test
    void aReaderThatThrowsIsCalledAgain() {
        database = () -> {
            throw new IllegalStateException("no connection");
        };
        awaitHeartbeats();
        database = () -> Future.succeededFuture(USUAL);
        Eventually.until("it is up to date again", feed::isUpToDate);
    }

    @Test
    void anErrorEmptiesTheCachesOnceAndIsRetried() {
        database = () -> Future.failedFuture("the database is gone");
        awaitHeartbeats();

        assertThat(feed.isUpToDate()).isFalse();
        assertThat(heard.missed).hasValue(1);

        database = () -> Future.succeededFuture(USUAL);
        Eventually.until("it is up to date again", feed::isUpToDate);
    }

    private void assertRefused(UUID project, String why) {
        assertThatThrownBy(() -> feed.requireStays(Shard.HOME, project))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aProjectThatLeavesIsRefusedUntilAReadingSaysOtherwise() {
        var project = UUID.randomUUID();
        answer(new Reading(SERVER, NOW, "10:10:", true, List.of(), List.of(), List.of(project)));
        assertRefused(project, "moves to another database");
        feed.requireStays(Shard.HOME, UUID.randomUUID());

        database = () -> Future.failedFuture("the connection is lost");
        awaitHeartbeats();
        assertRefused(project, "moves to another database");

        answer(USUAL);
        feed.requireStays(Shard.HOME, project);
    }

    private boolean isServed(UUID project) {
        try {
            feed.requireStays(Shard.HOME, project);
            return true;
        } catch (ApiException refused) {
            assertThat(refused).hasMessageContaining("does not answer");
            return false;
        }
    }

    /** A lost connection is common, and a move that has just begun waits for longer. */
    @Test
    void onlyALongSilenceRefusesAllProjects() {
        var project = UUID.randomUUID();
        database = () -> heartbeats.get() % 2 == 0
                ? Future.succeededFuture(USUAL)
                : Future.failedFuture("the connection is lost");
        Eventually.until(
                "it is served after a failed reading",
                () -> !feed.isHealthy() && isServed(project) && !feed.isHealthy());

        database = () -> Future.failedFuture("the connection is lost");
        Eventually.until("the silence is too long", () -> !isServed(project));
    }
}
