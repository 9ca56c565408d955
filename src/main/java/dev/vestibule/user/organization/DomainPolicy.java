package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.util.Locale;

/** What a proven domain does for users whose proven email is of it. */
public enum DomainPolicy {
    NONE,
    /** They are told of the organization, and can join it. */
    SUGGEST,
    /** They become members when their client asks for their organizations. */
    JOIN,
    /** They sign in only through the organization's connection, which makes them members. */
    SSO_REQUIRED;

    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static DomainPolicy of(String text) {
        return switch (text) {
            case "none" -> NONE;
            case "suggest" -> SUGGEST;
            case "join" -> JOIN;
            case "sso_required" -> SSO_REQUIRED;
            default -> throw new InvalidValueException("must be none, suggest, join or sso_required");
        };
    }
}
