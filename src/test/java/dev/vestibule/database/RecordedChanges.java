package dev.vestibule.database;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Records what the feed told a listener. */
final class RecordedChanges implements ChangeFeed.Listener {
    final List<UUID> projects = new CopyOnWriteArrayList<>();
    final AtomicInteger missed = new AtomicInteger();

    @Override
    public void changed(UUID project) {
        projects.add(project);
    }

    @Override
    public void changesMissed() {
        missed.incrementAndGet();
    }
}
