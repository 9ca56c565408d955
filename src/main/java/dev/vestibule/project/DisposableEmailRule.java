package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/** What happens to a new account whose mailbox anybody can open for an hour. */
public enum DisposableEmailRule {
    ALLOW("allow"),
    /** It is created, and an entry of the audit log names it. */
    FLAG("flag"),
    REFUSE("refuse");

    private final String text;

    DisposableEmailRule(String text) {
        this.text = text;
    }

    @JsonValue
    public String text() {
        return text;
    }

    static DisposableEmailRule of(String text) {
        return switch (text) {
            case "allow" -> ALLOW;
            case "flag" -> FLAG;
            case "refuse" -> REFUSE;
            default -> throw new InvalidValueException("must be allow, flag or refuse");
        };
    }
}
