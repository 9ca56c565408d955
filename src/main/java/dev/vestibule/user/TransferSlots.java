package dev.vestibule.user;

import dev.vestibule.error.ApiException;
import dev.vestibule.project.ProjectId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Limits the imports, or the exports, that run on this node, for each project and in all. */
public final class TransferSlots {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

    private final String what;
    private final int perProject;
    private final int total;
    private final Map<ProjectId, Integer> running = new HashMap<>();
    private int taken;

    /** What they are called in the message of a 503. */
    public TransferSlots(String what, int perProject, int total) {
        this.what = what;
        this.perProject = perProject;
        this.total = total;
    }

    /** Takes a slot, to be returned by {@link #release}; a 503 where there is none. */
    public synchronized void take(ProjectId project) {
        var own = running.getOrDefault(project, 0);
        if (own >= perProject || taken >= total) {
            throw ApiException.unavailable("Too many " + what + " are running. Try again later.", RETRY_AFTER);
        }
        running.put(project, own + 1);
        taken++;
    }

    public synchronized void release(ProjectId project) {
        running.computeIfPresent(project, (id, own) -> own == 1 ? null : own - 1);
        taken--;
    }
}
