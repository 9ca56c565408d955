package dev.vestibule.webhook.delivery;

import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.WebhookId;
import dev.vestibule.webhook.delivery.ClaimStore.ClaimLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The deliveries that this node has claimed and not finished, in one queue per endpoint. Endpoints take turns, and none
 * gets more than a share of the free room, so an endpoint that is slow or has a long backlog does not delay the others.
 */
final class Backlog {
    private static final int SHARE = 5; // a healthy endpoint may hold a fifth of the free room
    private static final int UNHEALTHY_CLAIMS = 20;
    private static final int UNHEALTHY_IN_FLIGHT = 4;

    private final Map<WebhookId, EndpointQueue> queues = new HashMap<>();
    private final Deque<EndpointQueue> turns = new ArrayDeque<>(); // the queues that are not empty
    private final Limits limits;
    private final Runnable onLow;
    private int waiting;
    private int inFlight;

    /**
     * How much this node takes.
     *
     * @param claims how many deliveries wait or are in flight, over all endpoints
     */
    record Limits(int inFlight, int inFlightPerEndpoint, int claims) {}

    /** Runs the action when half of a queue is used up and the database may hold more for it. */
    Backlog(Limits limits, Runnable onLow) {
        this.limits = limits;
        this.onLow = onLow;
    }

    int waiting() {
        return waiting;
    }

    int inFlight() {
        return inFlight;
    }

    /** How many more deliveries this node can claim. */
    int room() {
        return limits.claims() - waiting - inFlight;
    }

    /** What the next statement can claim with this much room. */
    ClaimLimits claimLimits(int room) {
        var share = Math.max(1, room / SHARE);
        var unhealthy = Math.min(share, UNHEALTHY_CLAIMS);
        Map<UUID, Integer> known = new HashMap<>();
        queues.forEach((id, queue) ->
                known.put(id.value(), Math.max(0, (queue.isHealthy ? share : unhealthy) - queue.waiting.size())));
        return new ClaimLimits(room, unhealthy, known);
    }

    /** Adds the deliveries that a statement claimed under these limits. */
    void addAll(List<Claim> claims, ClaimLimits claimLimits) {
        Map<EndpointQueue, Integer> counts = new HashMap<>();
        for (var claim : claims) {
            var queue = queues.computeIfAbsent(claim.endpoint().id(), id -> new EndpointQueue(claim.endpoint()));
            if (queue.waiting.isEmpty()) {
                turns.add(queue);
            }
            queue.waiting.add(claim);
            counts.merge(queue, 1, Integer::sum);
        }
        waiting += claims.size();
        for (var queue : queues.values()) {
            int count = counts.getOrDefault(queue, 0);
            if (count >= claimLimits.of(queue.endpoint)) { // it got as many as were requested, which may be none
                queue.mayHaveMore = true;
                queue.lowMark = queue.waiting.size() / 2;
            } else if (count > 0) {
                queue.mayHaveMore = false;
            }
        }
    }

    /** The next delivery to attempt; empty if none can start now. */
    Optional<Claim> next() {
        var free = limits.inFlight() - inFlight;
        for (int turn = free > 0 ? turns.size() : 0; turn > 0; turn--) {
            var queue = turns.remove();
            var mayStart = queue.mayStart(free);
            var claim = mayStart ? Optional.of(queue.waiting.remove()) : Optional.<Claim>empty();
            if (!queue.waiting.isEmpty()) {
                turns.add(queue);
            }
            if (mayStart) {
                waiting--;
                inFlight++;
                queue.inFlight++;
                askForMore(queue);
                return claim;
            }
        }
        return Optional.empty();
    }

    private void askForMore(EndpointQueue queue) {
        if (queue.mayHaveMore && queue.waiting.size() <= queue.lowMark) {
            queue.mayHaveMore = false;
            onLow.run();
        }
    }

    void ended(Attempt attempt) {
        remove(attempt.claim()).isHealthy = attempt.isDelivered();
    }

    /** Takes back a claim that {@link #next} returned and that is not attempted after all. */
    void skipped(Claim claim) {
        remove(claim);
    }

    private EndpointQueue remove(Claim claim) {
        var queue = Objects.requireNonNull(
                queues.get(claim.endpoint().id()), "a queue stays while something of it is in flight");
        inFlight--;
        queue.inFlight--;
        return queue;
    }

    /** Removes and returns the waiting deliveries of these projects. */
    List<Claim> drop(Predicate<ProjectId> projects) {
        var dropped = new ArrayList<Claim>();
        for (var queue : List.copyOf(queues.values())) {
            if (projects.test(queue.endpoint.project())) {
                dropped.addAll(queue.waiting);
                waiting -= queue.waiting.size();
                queue.waiting.clear();
                turns.remove(queue);
                if (queue.isIdle()) {
                    queues.remove(queue.endpoint.id());
                }
            }
        }
        return dropped;
    }

    /** Forgets the endpoints without deliveries, so that memory does not grow with every endpoint that ever had one. */
    void removeIdle() {
        queues.values().removeIf(EndpointQueue::isIdle);
    }

    private final class EndpointQueue {
        private final Endpoint endpoint;
        private final Deque<Claim> waiting = new ArrayDeque<>();
        private int inFlight;
        private int lowMark;
        private boolean mayHaveMore; // the last claim got as many as it requested
        private boolean isHealthy; // the last attempt was delivered; otherwise the next one may take its whole timeout

        private EndpointQueue(Endpoint endpoint) {
            this.endpoint = endpoint;
        }

        private boolean isIdle() {
            return waiting.isEmpty() && inFlight == 0;
        }

        /** An endpoint takes less than half of the free places, so there is always one for the next endpoint. */
        private boolean mayStart(int free) {
            var limit = isHealthy
                    ? limits.inFlightPerEndpoint()
                    : Math.min(UNHEALTHY_IN_FLIGHT, limits.inFlightPerEndpoint());
            return inFlight == 0 || (inFlight < limit && inFlight < free / 2);
        }
    }
}
