package dev.vestibule.webhook.delivery;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.project.ProjectId;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The projects that changed since their deliveries were claimed: an endpoint may be deleted, disabled or moved. The
 * feed calls it on any thread, and a project counts as changed before the request that changed it is answered.
 */
final class ChangedProjects implements ChangeFeed.Listener {
    private final Set<ProjectId> changed = ConcurrentHashMap.newKeySet();
    private final ChangeFeed feed;
    private final Runnable onChange;
    private volatile boolean isAnyChanged;

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
        isAnyChanged = true;
        onChange.run();
    }

    boolean contains(ProjectId project) {
        feed.keepAwake();
        return isAnyChanged || changed.contains(project);
    }

    /** Call this when no claim is left that was read before the changes. */
    void clear() {
        isAnyChanged = false;
        changed.clear();
    }
}
