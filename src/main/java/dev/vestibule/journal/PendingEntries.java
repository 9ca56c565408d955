package dev.vestibule.journal;

import dev.vestibule.project.ProjectId;
import dev.vestibule.telemetry.metrics.AuditMeters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Entries of all event loops that wait in memory to be written. At the maximum, new ones are dropped and counted. */
final class PendingEntries {
    private final int maximum;
    private final AuditMeters meters;
    private final Deque<AuditEntry> entries = new ArrayDeque<>();
    private final Map<ProjectId, Long> dropped = new HashMap<>();

    PendingEntries(int maximum, AuditMeters meters) {
        this.maximum = maximum;
        this.meters = meters;
    }

    /** The entries to write next, and how many entries of each project were dropped. */
    record Batch(List<AuditEntry> entries, Map<ProjectId, Long> dropped) {
        boolean isEmpty() {
            return entries.isEmpty() && dropped.isEmpty();
        }
    }

    synchronized void add(AuditEntry entry) {
        if (entries.size() < maximum) {
            entries.add(entry);
        } else {
            drop(entry);
        }
    }

    private void drop(AuditEntry entry) {
        dropped.merge(entry.project(), 1L, Long::sum);
        meters.dropped();
    }

    synchronized Batch take(int limit) {
        var taken = new ArrayList<AuditEntry>(Math.min(limit, entries.size()));
        while (taken.size() < limit && !entries.isEmpty()) {
            taken.add(entries.remove());
        }
        var counted = Map.copyOf(dropped);
        dropped.clear();
        return new Batch(taken, counted);
    }

    /** Puts the entries back at the front, in their order; drops those that no longer fit. */
    synchronized void putBack(Batch batch) {
        batch.dropped().forEach((project, count) -> dropped.merge(project, count, Long::sum));
        for (var i = batch.entries().size() - 1; i >= 0; i--) {
            if (entries.size() < maximum) {
                entries.addFirst(batch.entries().get(i));
            } else {
                drop(batch.entries().get(i));
            }
        }
    }
}
