package dev.vestibule.webhook.delivery;

import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.WebhookId;
import dev.vestibule.webhook.delivery.ClaimStore.Portion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What this node has claimed and not finished, by endpoint. Endpoints take turns, so one that holds much, or is slow,
 * delays no other.
 */
final class Backlog {
    private static final int KEPT_OF_SLOW = 4;

    private final Map<WebhookId, EndpointQueue> queues = new HashMap<>();
    private final Deque<EndpointQueue> turns = new ArrayDeque<>(); // those that hold something
    private final Limits limits;
    private int waiting;
    private int inFlight;
    private boolean isHungry;

    /**
     * How much this node takes.
     *
     * @param claims held and in flight, of all endpoints
     */
    record Limits(int inFlight, int inFlightPerEndpoint, int claims) {}

    Backlog(Limits limits) {
        this.limits = limits;
    }

    int waiting() {
        return waiting;
    }

    int inFlight() {
        return inFlight;
    }

    /** How many more may be claimed. */
    int room() {
        return limits.claims() - waiting - inFlight;
    }

    /** The endpoints that hold enough for now. */
    List<UUID> full() {
        return queues.values().stream()
                .filter(EndpointQueue::isFull)
                .map(queue -> queue.id().value())
                .toList();
    }

    /** The endpoints that may hold much, since they take what they are sent. */
    Set<UUID> proven() {
        return queues.values().stream()
                .filter(EndpointQueue::isProven)
                .map(queue -> queue.id().value())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether an endpoint has used up most of what it held, and the database may have more for it; tells once. */
    boolean takeHunger() {
        var was = isHungry;
        isHungry = false;
        return was;
    }

    /** What a statement claimed that took such a portion. */
    void addAll(List<Claim> claims, Portion portion) {
        var counts = new HashMap<EndpointQueue, Integer>();
        for (var claim : claims) {
            var queue = queues.computeIfAbsent(
                    claim.endpoint().id(),
                    missing -> new EndpointQueue(claim.endpoint(), limits.inFlightPerEndpoint()));
            if (queue.size() == 0) {
                turns.add(queue);
            }
            queue.add(claim, portion.of(claim.endpoint()));
            counts.merge(queue, 1, Integer::sum);
        }
        counts.forEach(EndpointQueue::wasGiven);
        waiting += claims.size();
    }

    /** The next one to be attempted, as far as one may be now. */
    Optional<Claim> next() {
        var free = limits.inFlight() - inFlight;
        for (int turn = free > 0 ? turns.size() : 0; turn > 0; turn--) {
            var queue = turns.remove();
            var starts = queue.mayStart(free);
            var claim = starts ? Optional.of(queue.start()) : Optional.<Claim>empty();
            if (queue.size() > 0) {
                turns.add(queue);
            }
            if (starts) {
                waiting--;
                inFlight++;
                isHungry |= queue.asksForMore();
                return claim;
            }
        }
        return Optional.empty();
    }

    /** Returns what is to be given back: another one of this endpoint is likely to take all its time as well. */
    List<Claim> ended(Attempt attempt) {
        var queue = leave(attempt.claim());
        queue.ended(attempt);
        return attempt.kind() == Attempt.Kind.HELD ? shed(queue, KEPT_OF_SLOW) : List.of();
    }

    /** A claim that is not attempted after all. */
    void skipped(Claim claim) {
        leave(claim);
    }

    private EndpointQueue leave(Claim claim) {
        inFlight--;
        var queue = Objects.requireNonNull(queues.get(claim.endpoint().id()), "what is in flight keeps its queue");
        queue.leave();
        return queue;
    }

    private List<Claim> shed(EndpointQueue queue, int keep) {
        var shed = queue.shed(keep);
        waiting -= shed.size();
        if (queue.size() == 0) {
            turns.remove(queue);
        }
        return shed;
    }

    /** Takes out all that waits of these projects. */
    List<Claim> drop(Predicate<ProjectId> projects) {
        var dropped = new ArrayList<Claim>();
        for (var queue : List.copyOf(queues.values())) {
            if (projects.test(queue.project())) {
                dropped.addAll(shed(queue, 0));
                if (queue.isIdle()) {
                    queues.remove(queue.id());
                }
            }
        }
        return dropped;
    }

    /**
     * A walk came by all endpoints. Those that it gave nothing are forgotten, and no sooner: one that sends off all that
     * it holds before the next claim comes would start slowly again and again.
     */
    void walkEnded() {
        queues.values().removeIf(EndpointQueue::isIdle);
    }
}
