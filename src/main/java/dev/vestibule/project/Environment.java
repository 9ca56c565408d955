package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/** What a project is used for. It never changes, since it determines the prefix of the project's keys. */
public enum Environment {
    LIVE("live"),
    TEST("test");

    private final String text;

    Environment(String text) {
        this.text = text;
    }

    @JsonValue
    public String text() {
        return text;
    }

    /** Reads the environment from a field of a request or of a row. */
    public static Environment of(String text) {
        return switch (text) {
            case "live" -> LIVE;
            case "test" -> TEST;
            default -> throw new InvalidValueException("must be live or test");
        };
    }
}
