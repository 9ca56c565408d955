package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/** Who can create organizations. */
public enum OrganizationCreation {
    /** Users, up to a number, and management. */
    USERS("users"),
    MANAGEMENT("management");

    private final String text;

    OrganizationCreation(String text) {
        this.text = text;
    }

    @JsonValue
    public String text() {
        return text;
    }

    static OrganizationCreation of(String text) {
        return switch (text) {
            case "users" -> USERS;
            case "management" -> MANAGEMENT;
            default -> throw new InvalidValueException("must be users or management");
        };
    }
}
