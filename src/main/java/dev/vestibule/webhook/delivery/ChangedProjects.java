package dev.vestibule.webhook.delivery;

import dev.vestibule.database.ChangeFeed;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The projects that changed since what is claimed of them was read: their endpoints may be gone, disabled or elsewhere.
 * It is told on any thread, and holds from the moment that whoever made the change hears of it.
 */
final class ChangedProjects implements ChangeFeed.Listener {
    private final Set<ProjectId> changed = ConcurrentHashMap.newKeySet();
    private final Runnable onChange;
    private volatile boolean isAnything;

    /** The action is told of each change, once it holds. */
    ChangedProjects(Runnable onChange) {
        this.onChange = onChange;
    }

    @Override
    public void changed(String payload) {
        ProjectChanges.projectOf(payload).ifPresent(project -> {
            changed.add(project);
            onChange.run();
        });
    }

    @Override
    public void changesMissed() {
        isAnything = true;
        onChange.run();
    }

    boolean contains(ProjectId project) {
        return isAnything || changed.contains(project);
    }

    /** Nothing is held any more that was read before. */
    void forget() {
        isAnything = false;
        changed.clear();
    }
}
