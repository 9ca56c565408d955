package dev.vestibule.project.statistics;

import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Counts the current hour of one project, for all threads of this node. */
final class CurrentHour {
    private static final int SECONDS = 3600;

    private final ProjectId project;
    private long hour; // since 1970
    private long[] counts = new long[Counted.KINDS];
    private DistinctUsers users = new DistinctUsers();
    private boolean isCounted;
    private boolean hasNewUsers;
    private boolean isOver;

    CurrentHour(ProjectId project, long hour) {
        this.project = project;
        this.hour = hour;
    }

    /** Counts an event. False if this object has been discarded: the caller must take another one. */
    synchronized boolean count(long now, Counted counted, Consumer<HourlyCounts> ended) {
        if (isOver) {
            return false;
        }
        beginHour(now, ended);
        counts[counted.place()]++;
        isCounted = true;
        return true;
    }

    /** Counts an active user. False if this object has been discarded. */
    synchronized boolean markActive(long now, UUID user, Consumer<HourlyCounts> ended) {
        if (isOver) {
            return false;
        }
        beginHour(now, ended);
        hasNewUsers |= users.add(user);
        return true;
    }

    /** Setting the clock back changes nothing: the later hour continues. */
    private void beginHour(long now, Consumer<HourlyCounts> ended) {
        if (now > hour) {
            takeChanges().ifPresent(ended);
            hour = now;
            users = new DistinctUsers();
        }
    }

    /**
     * The counts since the last call, which the caller writes.
     *
     * @param mayEnd whether to discard this object if there are none, so that it no longer takes memory
     */
    synchronized Optional<HourlyCounts> take(long now, boolean mayEnd) {
        var changes = takeChanges();
        isOver = changes.isEmpty() && (mayEnd || now > hour);
        return changes;
    }

    synchronized boolean isOver() {
        return isOver;
    }

    private Optional<HourlyCounts> takeChanges() {
        if (!isCounted && !hasNewUsers) {
            return Optional.empty();
        }
        var changes = new HourlyCounts(
                project,
                Instant.ofEpochSecond(hour * SECONDS),
                counts,
                hasNewUsers ? DistinctUsers.of(users.toBytes()) : new DistinctUsers());
        counts = new long[Counted.KINDS];
        isCounted = false;
        hasNewUsers = false;
        return Optional.of(changes);
    }

    static long hourOf(long millis) {
        return Math.floorDiv(millis, SECONDS * 1000L);
    }
}
