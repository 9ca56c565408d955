package dev.vestibule.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.PendingEntries.Batch;
import dev.vestibule.project.ProjectId;
import dev.vestibule.telemetry.metrics.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PendingEntriesTest {
    private static final int MAXIMUM = 3;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final PendingEntries queue = new PendingEntries(MAXIMUM, new Meters(registry).audit);
    private final ProjectId project = ProjectId.next();
    private final ProjectId another = ProjectId.next();

    private static AuditEntry entry(ProjectId of) {
        return AuditEntry.of(of, Actor.SYSTEM, Logged.SIGN_IN_FAILED, Target.NONE, Map.of("n", 1), Instant.EPOCH);
    }

    private static List<AuditEntry> entries(ProjectId of, int number) {
        return IntStream.range(0, number).mapToObj(n -> entry(of)).toList();
    }

    private double dropped() {
        return registry.get("vestibule.audit.dropped").counter().count();
    }

    @Test
    void entriesComeOutInTheirOrder() {
        var all = entries(project, MAXIMUM);
        all.forEach(queue::add);

        assertThat(queue.take(2).entries()).isEqualTo(all.subList(0, 2));
        assertThat(queue.take(2)).isEqualTo(new Batch(all.subList(2, 3), Map.of()));
        assertThat(queue.take(2).isEmpty()).isTrue();
    }

    @Test
    void droppedEntriesAreCountedForTheirProject() {
        var kept = entries(project, MAXIMUM);
        Stream.of(kept, entries(project, 2), entries(another, 1))
                .flatMap(List::stream)
                .forEach(queue::add);

        var batch = queue.take(10);
        assertThat(batch.entries()).isEqualTo(kept);
        assertThat(batch.dropped()).isEqualTo(Map.of(project, 2L, another, 1L));
        assertThat(dropped()).isEqualTo(3);
        assertThat(queue.take(10).isEmpty()).as("they are counted once").isTrue();
    }

    @Test
    void entriesThatCouldNotBeWrittenComeFirstNextTime() {
        var first = entries(project, 2);
        first.forEach(queue::add);
        var batch = queue.take(10);
        var later = entry(project);
        queue.add(later);
        queue.putBack(batch);

        assertThat(queue.take(10).entries())
                .isEqualTo(Stream.concat(first.stream(), Stream.of(later)).toList());
    }

    @Test
    void entriesThatNoLongerFitAreCountedTooAndEarlierCountsStay() {
        entries(project, MAXIMUM + 1).forEach(queue::add);
        var batch = queue.take(10);
        var later = entries(another, 2);
        later.forEach(queue::add);
        queue.putBack(batch);

        var next = queue.take(10);
        assertThat(next.entries()).hasSize(MAXIMUM).endsWith(later.get(0), later.get(1));
        assertThat(next.dropped()).isEqualTo(Map.of(project, 3L));
        assertThat(dropped()).isEqualTo(3);
    }
}
