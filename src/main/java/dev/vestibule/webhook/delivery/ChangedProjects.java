package dev.vestibule.webhook.delivery;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.project.ProjectId;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The projects that changed since their deliveries were claimed: an endpoint may be deleted, disabled or moved. The
 * feed calls it on any thread, and a project counts as changed before the request that changed it is answered.
 */
final class ChangedProjects implements ChangeFeed.Listener {
    /** The changes until a moment: these projects, and any project as often as changes were missed. */
    record Seen(Set<ProjectId> projects, int missed) {}

    private final Set<ProjectId> changed = ConcurrentHashMap.newKeySet();
    private final AtomicInteger missed = new AtomicInteger();
    private final ChangeFeed feed;
    private final Runnable onChange;
    private int missedBefore; // as often as is dealt with

    /** Runs the action after each change. */
    ChangedProjects(ChangeFeed feed, Runnable onChange) {
        this.feed = feed;
        this.onChange = onChange;
    }

    @Override
    public void changed(UUID project) {
        changed.add(new ProjectId(project));
        onChange.run();
    }

    @Override
    public void changesMissed() {
        missed.incrementAndGet();
        onChange.run();
    }

    boolean contains(ProjectId project) {
        feed.keepAwake();
        return missed.get() != missedBefore || changed.contains(project);
    }

    /** The changes until now. */
    Seen seen() {
        return new Seen(Set.copyOf(changed), missed.get());
    }

    /** Call this when no claim is left that was read before these changes; others may have come since. */
    void clear(Seen seen) {
        missedBefore = seen.missed();
        changed.removeAll(seen.projects());
    }
}
