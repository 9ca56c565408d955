package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/** What a project is for; fixed for life, since it decides the prefix of its keys. */
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

    /** A field rule. */
    public static Environment of(String text) {
        return switch (text) {
            case "live" -> LIVE;
            case "test" -> TEST;
            default -> throw new InvalidValueException("must be live or test");
        };
    }
}
