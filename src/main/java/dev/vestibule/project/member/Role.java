package dev.vestibule.project.member;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/** What a member can do in a project: an owner everything, a viewer only read. */
public enum Role {
    OWNER("owner"),
    VIEWER("viewer");

    private final String text;

    Role(String text) {
        this.text = text;
    }

    @JsonValue
    public String text() {
        return text;
    }

    /** Reads the role from a field of a request or of a row. */
    public static Role of(String text) {
        return switch (text) {
            case "owner" -> OWNER;
            case "viewer" -> VIEWER;
            default -> throw new InvalidValueException("must be owner or viewer");
        };
    }
}
