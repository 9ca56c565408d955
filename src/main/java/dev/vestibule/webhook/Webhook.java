package dev.vestibule.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An endpoint that is told of a project's events, without the secret that its deliveries are signed with. */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Webhook(
        WebhookId id,
        String url,
        List<String> events,
        Status status,
        @Nullable Instant failingSince,
        Instant createdAt,
        Instant updatedAt) {

    /** Whether anything is delivered to it. */
    public enum Status {
        ACTIVE("active"),
        /** By its owners, or since it only failed for days; what waits for it waits on. */
        DISABLED("disabled");

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
                case "active" -> ACTIVE;
                case "disabled" -> DISABLED;
                default -> throw new InvalidValueException("must be active or disabled");
            };
        }
    }
}
