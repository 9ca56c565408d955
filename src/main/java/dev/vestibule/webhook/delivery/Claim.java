package dev.vestibule.webhook.delivery;

import java.time.Instant;
import java.util.UUID;

/**
 * A delivery that only this node may attempt until the claim ends. Its result is written only if the claim still holds.
 *
 * @param attempts how many attempts were made before
 * @param holder the name under which this node claimed it
 */
record Claim(Endpoint endpoint, UUID event, int attempts, String payload, UUID holder, Instant end) {
    @Override
    public String toString() {
        return "Claim[" + endpoint.id() + " " + event + "]"; // a payload has no place in a log
    }
}
