package dev.vestibule.user;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Limits the imports, or the exports, that run on this node: for each project, for each client's network, and in total.
 * If there are several slots, no network gets all of them, however many projects its owner has created.
 */
public final class TransferSlots {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

    private final String what;
    private final int perProject;
    private final int perNetwork;
    private final int total;
    private final Map<ProjectId, Integer> ofProjects = new HashMap<>();
    private final Map<Buffer, Integer> ofNetworks = new HashMap<>();
    private int taken;

    /** {@code what} names the transfers in the message of a 503. */
    public TransferSlots(String what, int perProject, int total) {
        this.what = what;
        this.perProject = perProject;
        this.perNetwork = Math.max(1, total - 1);
        this.total = total;
    }

    /** Does the work in a slot, which is free again whatever becomes of the work; a 503 if none is free. */
    public <T> Future<T> during(ProjectId project, Buffer network, Supplier<Future<T>> work) {
        take(project, network);
        return Future.succeededFuture().compose(taken -> work.get()).eventually(() -> {
            release(project, network);
            return Future.succeededFuture();
        });
    }

    private synchronized void take(ProjectId project, Buffer network) {
        if (ofProjects.getOrDefault(project, 0) >= perProject
                || ofNetworks.getOrDefault(network, 0) >= perNetwork
                || taken >= total) {
            throw ApiException.of(
                    ErrorCode.UNAVAILABLE, "Too many " + what + " are running. Try again later.", RETRY_AFTER);
        }
        ofProjects.merge(project, 1, Integer::sum);
        ofNetworks.merge(network, 1, Integer::sum);
        taken++;
    }

    private synchronized void release(ProjectId project, Buffer network) {
        ofProjects.computeIfPresent(project, (id, own) -> own == 1 ? null : own - 1);
        ofNetworks.computeIfPresent(network, (id, own) -> own == 1 ? null : own - 1);
        taken--;
    }
}
