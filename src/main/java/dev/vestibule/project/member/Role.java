package dev.vestibule.project.member;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/** What a member can do in a project, from everything to only reading: each role includes those after it. */
public enum Role {
    /** Everything, even to manage the members, to act as a user and to delete the project. */
    OWNER("owner"),
    /** Keys, settings, providers, webhooks and imports. */
    DEVELOPER("developer"),
    /** Users with their sessions, organizations and exports. */
    SUPPORT("support"),
    /** Nothing but reading, page by page: no exports. */
    VIEWER("viewer");

    private final String text;

    Role(String text) {
        this.text = text;
    }

    @JsonValue
    public String text() {
        return text;
    }

    public boolean includes(Role other) {
        return compareTo(other) <= 0;
    }

    /** Reads the role from a field of a request or of a row. */
    public static Role of(String text) {
        return switch (text) {
            case "owner" -> OWNER;
            case "developer" -> DEVELOPER;
            case "support" -> SUPPORT;
            case "viewer" -> VIEWER;
            default -> throw new InvalidValueException("must be owner, developer, support or viewer");
        };
    }
}
