package dev.vestibule.oauth.provider;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/** How a login page opens a provider: in a popup, by a redirect, or either. */
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
