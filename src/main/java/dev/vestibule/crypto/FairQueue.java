package dev.vestibule.crypto;

import dev.vestibule.crypto.foreign.HashMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The work that waits for a few threads. Projects take turns: the one that has used the least time goes next
 * (start-time fair queueing). So a project's share is measured in time and not in jobs, and a project with slow jobs
 * gets fewer of them done. A project that returns starts level with the others, so that nobody saves up turns, but it
 * still owes any time that it used beyond its share.
 *
 * <p>When the queue is full, it drops the newest job of the project with the most waiting jobs, so that a flood takes
 * no other project's place. Together, the running jobs never need more memory than the budget. Not thread-safe.
 *
 * @param <T> what a job is to the pool
 */
final class FairQueue<T> {
    /** What a job needs: memory, and perhaps much more time than most jobs. */
    record Need(boolean isLong, HashMemory memory) {}

    /** A running job, with the time that its project was charged for it in advance. */
    record RunningJob<T>(T job, UUID project, Need need, long chargedNanos) {}

    private record WaitingJob<T>(T job, Need need) {}

    private static final class Share<T> {
        private final Deque<WaitingJob<T>> waiting = new ArrayDeque<>();
        private int running;
        private long usedNanos;
        private long lastJobNanos;
        private int passedOver;

        private Share(long usedNanos) {
            this.usedNanos = usedNanos;
        }

        private boolean isIdle() {
            return running == 0 && waiting.isEmpty();
        }

        private Need firstNeed() {
            return waiting.element().need();
        }
    }

    private static final int MAX_PASSED_OVER = 8;

    private final int threads;
    private final int capacity;
    private final HashMemory budget;
    private final Map<UUID, Share<T>> shares = new LinkedHashMap<>();
    private int waiting;
    private int running;
    private int longRunning;
    private HashMemory taken = HashMemory.NONE;
    private long clock;

    FairQueue(int threads, int capacity, HashMemory budget) {
        this.threads = threads;
        this.capacity = capacity;
        this.budget = budget;
    }

    int waiting() {
        return waiting;
    }

    int running() {
        return running;
    }

    /** A job that needs more than the whole budget runs alone. */
    void add(UUID project, T job, Need need) {
        var share = shares.computeIfAbsent(project, unknown -> new Share<>(clock));
        if (share.isIdle()) {
            share.usedNanos = Math.max(share.usedNanos, clock);
        }
        share.waiting.add(
                new WaitingJob<>(job, new Need(need.isLong(), need.memory().atMost(budget))));
        waiting++;
    }

    /**
     * Removes one job if there are too many. If several projects have the most waiting jobs, the one that came last
     * loses its newest.
     */
    Optional<T> removeExcess(UUID newestProject) {
        if (waiting <= capacity) {
            return Optional.empty();
        }
        var longest = shares.entrySet().stream()
                .max(Comparator.<Map.Entry<UUID, Share<T>>>comparingInt(
                                entry -> entry.getValue().waiting.size())
                        .thenComparing(entry -> entry.getKey().equals(newestProject)))
                .orElseThrow();
        waiting--;
        var job = longest.getValue().waiting.removeLast().job();
        forget();
        return Optional.of(job);
    }

    /**
     * The job to start now; empty if no job waits, or no thread or memory is free. If the next job in turn needs memory
     * that is in use, other jobs may go first a few times; after that, jobs that compete for the same memory wait until
     * it has run.
     */
    Optional<RunningJob<T>> next() {
        var skipped = new ArrayList<Share<T>>();
        for (var first = firstExcept(skipped); first.isPresent(); first = firstExcept(skipped)) {
            var share = first.get().getValue();
            var memory = share.firstNeed().memory();
            if (taken.plus(memory).fitsIn(budget) && skipped.stream().noneMatch(other -> blocks(other, memory))) {
                skipped.stream()
                        .filter(other -> other.firstNeed().memory().competesWith(memory))
                        .forEach(other -> other.passedOver++);
                return Optional.of(start(first.get().getKey(), share));
            }
            skipped.add(share);
        }
        return Optional.empty();
    }

    private boolean blocks(Share<T> waitingForMemory, HashMemory memory) {
        return waitingForMemory.passedOver >= MAX_PASSED_OVER
                && waitingForMemory.firstNeed().memory().competesWith(memory);
    }

    private Optional<Map.Entry<UUID, Share<T>>> firstExcept(List<Share<T>> skipped) {
        return shares.entrySet().stream()
                .filter(entry -> hasThread(entry.getValue()) && !skipped.contains(entry.getValue()))
                .min(Map.Entry.comparingByValue(Comparator.<Share<T>>comparingLong(share -> share.usedNanos)
                        .thenComparingInt(share -> share.running)));
    }

    /** Short jobs get one extra thread while long jobs hold all the others. */
    private boolean hasThread(Share<T> share) {
        return !share.waiting.isEmpty()
                && (running < threads || (!share.firstNeed().isLong() && longRunning == threads && running == threads));
    }

    private RunningJob<T> start(UUID project, Share<T> share) {
        var job = share.waiting.remove();
        waiting--;
        running++;
        longRunning += job.need().isLong() ? 1 : 0;
        taken = taken.plus(job.need().memory());
        share.passedOver = 0;
        clock = Math.max(clock, share.usedNanos);
        share.running++;
        share.usedNanos += share.lastJobNanos;
        return new RunningJob<>(job.job(), project, job.need(), share.lastJobNanos);
    }

    /** Charges the project for the time that a job took instead of the time that was expected. */
    void finished(RunningJob<T> job, long tookNanos) {
        var share = Objects.requireNonNull(shares.get(job.project()), "only an idle project is forgotten");
        share.running--;
        share.usedNanos += tookNanos - job.chargedNanos();
        share.lastJobNanos = tookNanos;
        running--;
        longRunning -= job.need().isLong() ? 1 : 0;
        taken = taken.minus(job.need().memory());
        forget();
    }

    /** Remembers only projects that owe time, and none once the pool is idle, so that the map does not grow. */
    private void forget() {
        var isIdle = running == 0 && waiting == 0;
        shares.values().removeIf(share -> share.isIdle() && (isIdle || share.usedNanos <= clock));
    }
}
