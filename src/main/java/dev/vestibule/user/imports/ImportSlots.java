package dev.vestibule.user.imports;

import dev.vestibule.config.ImportSettings;
import dev.vestibule.error.ApiException;
import dev.vestibule.project.ProjectId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Limits the imports that run on this node, for each project and in all. */
public final class ImportSlots {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

    private final ImportSettings limits;
    private final Map<ProjectId, Integer> running = new HashMap<>();
    private int total;

    public ImportSlots(ImportSettings limits) {
        this.limits = limits;
    }

    /** Takes a slot, to be returned by {@link #release}; a 503 where there is none. */
    synchronized void take(ProjectId project) {
        var own = running.getOrDefault(project, 0);
        if (own >= limits.perProject() || total >= limits.total()) {
            throw ApiException.unavailable("Too many imports are running. Try again later.", RETRY_AFTER);
        }
        running.put(project, own + 1);
        total++;
    }

    synchronized void release(ProjectId project) {
        running.computeIfPresent(project, (id, own) -> own == 1 ? null : own - 1);
        total--;
    }
}
