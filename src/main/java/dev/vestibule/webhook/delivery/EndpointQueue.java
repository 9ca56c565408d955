package dev.vestibule.webhook.delivery;

import dev.vestibule.project.ProjectId;
import dev.vestibule.webhook.WebhookId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What this node holds for one endpoint. How many of them go at once grows with its successes, and falls back to one
 * when the endpoint makes an attempt wait for nothing.
 */
final class EndpointQueue {
    private static final int FIRST_ALLOWANCE = 4;

    private final ProjectId project;
    private final WebhookId id;
    private final int mostInFlight;
    private final Deque<Claim> waiting = new ArrayDeque<>();
    private int inFlight;
    private int allowance;
    private int ahead;
    private boolean mayHaveMore;
    private boolean isProven;

    EndpointQueue(Endpoint endpoint, int mostInFlight) {
        this.project = endpoint.project();
        this.id = endpoint.id();
        this.mostInFlight = mostInFlight;
        this.allowance = endpoint.failingSince() == null ? Math.min(FIRST_ALLOWANCE, mostInFlight) : 1;
    }

    ProjectId project() {
        return project;
    }

    WebhookId id() {
        return id;
    }

    int size() {
        return waiting.size();
    }

    boolean isIdle() {
        return waiting.isEmpty() && inFlight == 0;
    }

    /** Holds a claim, one of so many that the endpoint may be given at once. */
    void add(Claim claim, int ofAtMost) {
        waiting.add(claim);
        ahead = ofAtMost;
    }

    /** The database may hold more that is due where it gave as much as it was asked for. */
    void wasGiven(int count) {
        mayHaveMore = count >= ahead;
    }

    boolean isFull() {
        return !waiting.isEmpty() && waiting.size() >= ahead * 3 / 4;
    }

    /** Asks once for more, when a quarter of what is held ahead is used up: the rest lasts until it comes. */
    boolean asksForMore() {
        var asks = mayHaveMore && !isFull();
        mayHaveMore &= !asks;
        return asks;
    }

    /** No endpoint takes more than half of what is free on the node, so that there is always a place for the next. */
    boolean mayStart(int free) {
        return !waiting.isEmpty() && inFlight < allowance && (inFlight == 0 || inFlight < free / 2);
    }

    Claim start() {
        inFlight++;
        return waiting.remove();
    }

    void leave() {
        inFlight--;
    }

    /** Whether it has taken what it was sent, and made no attempt since then wait for nothing. */
    boolean isProven() {
        return isProven;
    }

    void ended(Attempt attempt) {
        isProven = attempt.isDelivered() || (isProven && attempt.kind() != Attempt.Kind.HELD);
        if (attempt.isDelivered()) {
            allowance = Math.min(allowance * 2, mostInFlight);
        } else {
            allowance = attempt.kind() == Attempt.Kind.HELD ? 1 : Math.max(1, allowance / 2);
        }
    }

    /** Takes out all that waits beyond so many. */
    List<Claim> shed(int keep) {
        var shed = new ArrayList<Claim>();
        while (waiting.size() > keep) {
            shed.add(waiting.removeLast());
        }
        ahead = Math.min(ahead, Math.max(keep, 1));
        return shed;
    }
}
