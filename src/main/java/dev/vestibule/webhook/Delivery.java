package dev.vestibule.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the log knows of one event on its way to one endpoint; the response and the error are of the last attempt. */
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

    /** The event, whose id is the delivery's too; its payload, as it is sent, only where it was asked for. */
    public record EventItem(
            UUID id,
            String type,

            @JsonInclude(JsonInclude.Include.NON_NULL) @JsonRawValue @Nullable
            String payload) {}

    /** How far it got. */
    public enum Status {
        WAITING("waiting"),
        DELIVERED("delivered"),
        /** Every attempt failed. */
        DEAD("dead");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        @JsonValue
        public String text() {
            return text;
        }

        /** A field rule. */
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
