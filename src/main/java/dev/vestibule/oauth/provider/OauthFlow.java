package dev.vestibule.oauth.provider;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/** How a login page sends a user to a provider: in a window beside it, in its own place, or as it finds best. */
public enum OauthFlow {
    AUTO("auto"),
    POPUP("popup"),
    REDIRECT("redirect");

    private final String text;

    OauthFlow(String text) {
        this.text = text;
    }

    @JsonValue
    public String text() {
        return text;
    }

    /** A field rule. */
    public static OauthFlow of(String text) {
        return switch (text) {
            case "auto" -> AUTO;
            case "popup" -> POPUP;
            case "redirect" -> REDIRECT;
            default -> throw new InvalidValueException("must be auto, popup or redirect");
        };
    }
}
