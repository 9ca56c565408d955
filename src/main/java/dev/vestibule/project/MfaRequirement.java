package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;

/** Whether users of a project need a second factor. */
enum MfaRequirement {
    OFF,
    REQUIRED;

    /** A field rule. */
    static MfaRequirement of(String text) {
        return Arrays.stream(values())
                .filter(requirement -> requirement.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException("must be off or required"));
    }

    static MfaRequirement ofProject(FactorSettings settings) {
        return settings.requiresMfa() ? REQUIRED : OFF;
    }

    @JsonValue
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
