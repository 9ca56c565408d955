package dev.vestibule.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The delivery of one event to one endpoint; the response and the error are those of the last attempt. */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Delivery(
        UUID id,
        EventItem event,
        Status status,
        int attempts,
        @Nullable Instant nextAttemptAt,
        @Nullable Integer responseStatus,
        @Nullable String responseBody,
        @Nullable Integer durationMillis,
        @Nullable String error,
        Instant createdAt,
        @Nullable Instant attemptedAt) {

    /** The event, whose id is also the delivery's. Only a single delivery is shown with the payload. */
    public record EventItem(
            UUID id,
            String type,

            @JsonInclude(JsonInclude.Include.NON_NULL) @JsonRawValue @Nullable
            String payload) {}

    /** The state of the delivery. */
    public enum Status {
        WAITING("waiting"),
        DELIVERED("delivered"),
        /** All attempts failed. */
        DEAD("dead");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        @JsonValue
        public String text() {
            return text;
        }

        /** Parses a field. */
        public static Status of(String text) {
            return switch (text) {
                case "waiting" -> WAITING;
                case "delivered" -> DELIVERED;
                case "dead" -> DEAD;
                default -> throw new InvalidValueException("must be waiting, delivered or dead");
            };
        }
    }
}
