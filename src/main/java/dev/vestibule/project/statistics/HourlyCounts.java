package dev.vestibule.project.statistics;

import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** The counts of one hour of one project. */
final class HourlyCounts {
    static final Comparator<HourlyCounts> BY_KEY = Comparator.comparing((HourlyCounts counts) -> counts.project.value())
            .thenComparing(counts -> counts.hour);

    private final ProjectId project;
    private final Instant hour;
    private final long[] counts;
    private final DistinctUsers users;

    HourlyCounts(ProjectId project, Instant hour, long[] counts, DistinctUsers users) {
        this.project = project;
        this.hour = hour;
        this.counts = counts;
        this.users = users;
    }

    ProjectId project() {
        return project;
    }

    Instant hour() {
        return hour;
    }

    long count(Counted counted) {
        return counts[counted.place()];
    }

    long sum() {
        var sum = 0L;
        for (var count : counts) {
            sum += count;
        }
        return sum;
    }

    DistinctUsers users() {
        return users;
    }

    /** The sum of several hours, which it does not change; it has the key of none of them. */
    static HourlyCounts sum(List<HourlyCounts> hours) {
        var sum = new HourlyCounts(ProjectId.SYSTEM, Instant.EPOCH, new long[Counted.KINDS], new DistinctUsers());
        hours.forEach(sum::add);
        return sum;
    }

    void add(HourlyCounts others) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += others.counts[i];
        }
        users.merge(others.users);
    }
}
