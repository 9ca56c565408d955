package dev.vestibule.crypto;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The work that waits for a few threads, each project in its turn: the one that has used the least time goes next
 * (start-time fair queueing). So a project's share is time and not a number of jobs, and one whose jobs take long gets
 * fewer of them done. A project that comes back starts where the others are, so that nobody saves up turns, and still
 * owes what it used beyond that.
 *
 * <p>When the queue is full, the newest job of the project with the most waiting jobs goes, so that a flood takes no
 * other project's place. Not safe for use by several threads at once.
 *
 * @param <T> what a job is to the pool
 */
final class FairQueue<T> {
    /** A job that runs, with what its project was charged for it in advance. */
    record Started<T>(T job, UUID project, boolean isLong, long chargedNanos) {}

    private record Waiting<T>(T job, boolean isLong) {}

    private static final class Share<T> {
        private final Deque<Waiting<T>> waiting = new ArrayDeque<>();
        private int running;
        private long usedNanos;
        private long lastJobNanos;

        private Share(long usedNanos) {
            this.usedNanos = usedNanos;
        }

        private boolean isIdle() {
            return running == 0 && waiting.isEmpty();
        }
    }

    private final int threads;
    private final int capacity;
    private final Map<UUID, Share<T>> shares = new LinkedHashMap<>();
    private int waiting;
    private int running;
    private int longRunning;
    private long clock;

    FairQueue(int threads, int capacity) {
        this.threads = threads;
        this.capacity = capacity;
    }

    int waiting() {
        return waiting;
    }

    int running() {
        return running;
    }

    void add(UUID project, T job, boolean isLong) {
        var share = shares.computeIfAbsent(project, unknown -> new Share<>(clock));
        if (share.isIdle()) {
            share.usedNanos = Math.max(share.usedNanos, clock);
        }
        share.waiting.add(new Waiting<>(job, isLong));
        waiting++;
    }

    /** Removes the job that finds no room, if there is one. Of equals, the project that came last must go. */
    Optional<T> removeSurplus(UUID cameLast) {
        if (waiting <= capacity) {
            return Optional.empty();
        }
        var longest = shares.entrySet().stream()
                .max(Comparator.<Map.Entry<UUID, Share<T>>>comparingInt(
                                entry -> entry.getValue().waiting.size())
                        .thenComparing(entry -> entry.getKey().equals(cameLast)))
                .orElseThrow();
        waiting--;
        var job = longest.getValue().waiting.removeLast().job();
        forget();
        return Optional.of(job);
    }

    /** The job to start now; empty if none waits or no thread is free for it. */
    Optional<Started<T>> next() {
        var chosen = shares.entrySet().stream()
                .filter(entry -> mayStart(entry.getValue()))
                .min(Map.Entry.comparingByValue(Comparator.<Share<T>>comparingLong(share -> share.usedNanos)
                        .thenComparingInt(share -> share.running)));
        return chosen.map(entry -> start(entry.getKey(), entry.getValue()));
    }

    /** One thread more than usual for short jobs while long ones hold the others. */
    private boolean mayStart(Share<T> share) {
        var head = share.waiting.peek();
        return head != null && (running < threads || (!head.isLong() && longRunning == threads && running == threads));
    }

    private Started<T> start(UUID project, Share<T> share) {
        var job = share.waiting.remove();
        waiting--;
        running++;
        longRunning += job.isLong() ? 1 : 0;
        clock = Math.max(clock, share.usedNanos);
        share.running++;
        share.usedNanos += share.lastJobNanos;
        return new Started<>(job.job(), project, job.isLong(), share.lastJobNanos);
    }

    /** Charges the project for what a job took instead of what was expected. */
    void finished(Started<T> job, long tookNanos) {
        var share = Objects.requireNonNull(shares.get(job.project()), "only an idle project is forgotten");
        share.running--;
        share.usedNanos += tookNanos - job.chargedNanos();
        share.lastJobNanos = tookNanos;
        running--;
        longRunning -= job.isLong() ? 1 : 0;
        forget();
    }

    /** Only debts are remembered, and none once the pool is idle, so that the map stays as small as its use. */
    private void forget() {
        var isIdle = running == 0 && waiting == 0;
        shares.values().removeIf(share -> share.isIdle() && (isIdle || share.usedNanos <= clock));
    }
}
