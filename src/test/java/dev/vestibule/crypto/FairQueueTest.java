package dev.vestibule.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.crypto.FairQueue.Need;
import dev.vestibule.crypto.FairQueue.RunningJob;
import dev.vestibule.crypto.foreign.HashMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FairQueueTest {
    private static final UUID ANN = new UUID(0, 1);
    private static final UUID BOB = new UUID(0, 2);
    private static final UUID CY = new UUID(0, 3);

    private static final HashMemory BUDGET = new HashMemory(100, 100);

    private final FairQueue<String> queue = new FairQueue<>(1, 6, BUDGET);

    @Test
    void workOfOneProjectIsDoneInOrder() {
        add(ANN, "a1", "a2", "a3");
        assertThat(order(10, 10, 10)).containsExactly("a1", "a2", "a3");
    }

    @Test
    void projectsTakeTurnsHoweverMuchOneHasWaiting() {
        add(ANN, "a1", "a2", "a3", "a4");
        add(BOB, "b1");
        add(CY, "c1");
        assertThat(order(10, 10, 10, 10, 10, 10)).containsExactly("a1", "b1", "c1", "a2", "a3", "a4");
    }

    @Test
    void turnsAreMeasuredInTimeSoLongWorkGetsFewer() {
        add(ANN, "a1", "a2");
        add(BOB, "b1", "b2", "b3", "b4");
        assertThat(order(100, 40, 40, 40, 40, 100)).containsExactly("a1", "b1", "b2", "b3", "a2", "b4");
    }

    @Test
    void aLaterProjectNeitherWaitsNorHasSavedUpTurns() {
        add(ANN, "a1", "a2", "a3", "a4");
        run(10);
        run(10);
        add(BOB, "b1", "b2");
        assertThat(order(10, 10, 10, 10)).containsExactly("b1", "a3", "b2", "a4");
    }

    /** The project always has just one job, so it leaves the queue each time. */
    @Test
    void leavingTheQueueDoesNotForgiveUsedTime() {
        add(BOB, "b1", "b2", "b3", "b4");
        add(ANN, "a1");
        var order = new ArrayList<String>();
        order.add(run(10)); // b1
        order.add(run(100)); // a1
        add(ANN, "a2");
        order.addAll(order(10, 10, 10, 100));
        assertThat(order).containsExactly("b1", "a1", "b2", "b3", "b4", "a2");
    }

    @Test
    void noTimeIsOwedOnceThePoolWasIdle() {
        add(ANN, "a1");
        run(1000);
        add(ANN, "a2");
        add(BOB, "b1", "b2");
        assertThat(order(10, 10, 10)).containsExactly("a2", "b1", "b2");
    }

    /** With two threads, the second job starts before the first is measured. */
    @Test
    void runningWorkIsChargedInAdvanceLikeTheLastWorkOfItsProject() {
        var two = new FairQueue<String>(2, 10, BUDGET);
        two.add(ANN, "a1", new Need(false, HashMemory.NONE));
        two.finished(two.next().orElseThrow(), 100);
        for (var job : List.of("a2", "a3", "a4")) {
            two.add(ANN, job, new Need(false, HashMemory.NONE));
        }
        for (var job : List.of("b1", "b2")) {
            two.add(BOB, job, new Need(false, HashMemory.NONE));
        }
        assertThat(two.next().orElseThrow().job()).isEqualTo("a2");
        assertThat(two.next().orElseThrow().job()).isEqualTo("b1");
        assertThat(two.next()).isEmpty();
    }

    @Test
    void theProjectWithTheMostWaitingLosesItsNewestWhenTheQueueIsFull() {
        add(ANN, "a1", "a2", "a3", "a4", "a5");
        add(BOB, "b1");
        assertThat(queue.removeExcess(BOB)).isEmpty();
        add(CY, "c1");
        assertThat(queue.removeExcess(CY)).hasValue("a5");
        add(ANN, "a6");
        assertThat(queue.removeExcess(ANN)).hasValue("a6");
        assertThat(queue.waiting()).isEqualTo(6);
    }

    @Test
    void amongProjectsWithEquallyMuchTheLastOneIsRefused() {
        add(ANN, "a1", "a2", "a3");
        add(BOB, "b1", "b2");
        add(CY, "c1");
        add(BOB, "b3");
        assertThat(queue.removeExcess(BOB)).hasValue("b3");
        add(CY, "c2");
        assertThat(queue.removeExcess(CY)).hasValue("a3");
    }

    @Test
    void longWorkLeavesAnExtraThreadForShortWork() {
        queue.add(ANN, "long", new Need(true, HashMemory.NONE));
        queue.add(ANN, "long too", new Need(true, HashMemory.NONE));
        queue.add(BOB, "short", new Need(false, HashMemory.NONE));
        queue.add(BOB, "short too", new Need(false, HashMemory.NONE));
        var first = queue.next().orElseThrow();
        var second = queue.next().orElseThrow();
        assertThat(first.job()).isEqualTo("long");
        assertThat(second.job()).isEqualTo("short");
        assertThat(queue.next()).isEmpty();
        queue.finished(second, 10);
        assertThat(queue.next().orElseThrow().job()).isEqualTo("short too");
        assertThat(queue.next()).isEmpty();
        assertThat(queue.running()).isEqualTo(2);
    }

    @Test
    void shortWorkAloneGetsNoMoreThanItsThreads() {
        add(ANN, "a1", "a2");
        assertThat(queue.next()).isPresent();
        assertThat(queue.next()).isEmpty();
    }

    @Test
    void concurrentWorkNeverTakesMoreMemoryThanTheBudget() {
        var four = new FairQueue<String>(4, 10, BUDGET);
        four.add(ANN, "a1", new Need(true, HashMemory.ofHeap(60)));
        four.add(BOB, "b1", new Need(true, HashMemory.ofHeap(60)));
        four.add(CY, "c1", new Need(true, HashMemory.ofHeap(40)));
        var first = four.next().orElseThrow();
        assertThat(first.job()).isEqualTo("a1");
        assertThat(four.next().orElseThrow().job()).isEqualTo("c1");
        assertThat(four.next()).isEmpty();
        four.finished(first, 10);
        assertThat(four.next().orElseThrow().job()).isEqualTo("b1");
    }

    @Test
    void workWaitsOnlyForMemoryOfItsOwnKind() {
        var four = new FairQueue<String>(4, 10, BUDGET);
        four.add(ANN, "a1", new Need(true, HashMemory.ofHeap(100)));
        four.add(BOB, "b1", new Need(true, HashMemory.ofNative(100)));
        four.add(CY, "c1", new Need(false, HashMemory.NONE));
        assertThat(four.next()).isPresent();
        assertThat(four.next()).isPresent();
        assertThat(four.next()).isPresent();
    }

    /** Otherwise a project with large hashes would wait as long as jobs of another project keep arriving. */
    @Test
    void workThatNeedsMuchMemoryIsPassedOverAFewTimesAndThenRuns() {
        var two = new FairQueue<String>(2, 1000, BUDGET);
        two.add(ANN, "first", new Need(true, HashMemory.ofHeap(50)));
        var running = two.next().orElseThrow();
        two.add(BOB, "large", new Need(true, HashMemory.ofHeap(80)));
        for (int i = 0; i < 100; i++) {
            two.add(ANN, "small", new Need(true, HashMemory.ofHeap(50)));
        }
        var before = 0;
        for (var next = two.next(); !running.job().equals("large"); next = two.next()) {
            if (next.isPresent()) {
                two.finished(running, 0);
                running = next.get();
                before++;
            } else {
                two.finished(running, 0);
                running = two.next().orElseThrow();
            }
        }
        assertThat(before).isLessThan(10);
    }

    @Test
    void workThatNeedsMoreThanTheBudgetRunsAlone() {
        var two = new FairQueue<String>(2, 10, BUDGET);
        two.add(ANN, "a1", new Need(true, HashMemory.ofHeap(1000)));
        two.add(BOB, "b1", new Need(true, HashMemory.ofHeap(1)));
        assertThat(two.next().orElseThrow().job()).isEqualTo("a1");
        assertThat(two.next()).isEmpty();
    }

    /** Three projects with jobs of 1, 4 and 20 ms always have some waiting, on two threads. */
    @Test
    void projectsThatAlwaysHaveWorkWaitingGetTheSameTime() {
        record Work(UUID project, long cost) {}
        record Run(RunningJob<Work> started, long end) {}
        var busy = new FairQueue<Work>(2, 1000, BUDGET);
        var used = new HashMap<UUID, Long>();
        var random = new Random(1);
        var runs = new ArrayDeque<Run>();
        for (var work : List.of(new Work(ANN, 100), new Work(BOB, 400), new Work(CY, 2000))) {
            for (int i = 0; i < 10; i++) {
                busy.add(work.project(), work, new Need(false, HashMemory.NONE));
            }
        }
        var now = 0L;
        while (now < 100_000) {
            for (var next = busy.next(); next.isPresent(); next = busy.next()) {
                var work = next.get().job();
                runs.add(new Run(next.get(), now + work.cost() * (90 + random.nextInt(20)) / 100));
                used.merge(work.project(), work.cost(), Long::sum);
                busy.add(work.project(), work, new Need(false, HashMemory.NONE));
            }
            var ended = runs.stream()
                    .min((one, other) -> Long.compare(one.end(), other.end()))
                    .orElseThrow();
            runs.remove(ended);
            busy.finished(ended.started(), ended.started().job().cost());
            now = ended.end();
        }
        var total = used.values().stream().mapToLong(Long::longValue).sum();
        assertThat(used.values())
                .allSatisfy(time -> assertThat((double) time / total).isBetween(0.3, 0.37));
    }

    private void add(UUID project, String... jobs) {
        for (var job : jobs) {
            queue.add(project, job, new Need(false, HashMemory.NONE));
        }
    }

    private String run(long took) {
        var started = queue.next().orElseThrow();
        queue.finished(started, took);
        return started.job();
    }

    private List<String> order(long... times) {
        var order = new ArrayList<String>();
        for (var took : times) {
            order.add(run(took));
        }
        return order;
    }
}
