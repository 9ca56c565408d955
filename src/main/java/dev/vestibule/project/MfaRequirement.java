package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether users of a project need a second factor: {@code off} or {@code required}.
 *
 * @param since since when they need one; null if they need none
 */
public record MfaRequirement(@Nullable Instant since) {
    private static final String OFF = "off";
    private static final String REQUIRED = "required";

    /** Reads a field that a request sends now. */
    static MfaRequirement of(String text, Instant now) {
        return switch (text) {
            case OFF -> new MfaRequirement(null);
            case REQUIRED -> new MfaRequirement(now);
            default -> throw new InvalidValueException("must be off or required");
        };
    }

    @JsonValue
    String text() {
        return since == null ? OFF : REQUIRED;
    }
}
