package dev.vestibule.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An endpoint that receives a project's events, without its signing secret. */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Webhook(
        WebhookId id,
        String url,
        List<String> events,
        Status status,
        @Nullable Instant failingSince,
        Instant createdAt,
        Instant updatedAt) {

    /** Whether events are delivered to it. */
    public enum Status {
        ACTIVE("active"),
        /**
         * Its owner disabled it, or the server did because it had only failed for days. Its waiting deliveries stay.
         */
        DISABLED("disabled");

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
                case "active" -> ACTIVE;
                case "disabled" -> DISABLED;
                default -> throw new InvalidValueException("must be active or disabled");
            };
        }
    }
}
