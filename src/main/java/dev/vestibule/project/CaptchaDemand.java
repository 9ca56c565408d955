package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/** When requests need a captcha's solution. */
public enum CaptchaDemand {
    /** When more come than a share of the rate limits. */
    PRESSURE("pressure"),
    ALWAYS("always"),
    NEVER("never");

    private final String text;

    CaptchaDemand(String text) {
        this.text = text;
    }

    @JsonValue
    public String text() {
        return text;
    }

    static CaptchaDemand of(String text) {
        return switch (text) {
            case "pressure" -> PRESSURE;
            case "always" -> ALWAYS;
            case "never" -> NEVER;
            default -> throw new InvalidValueException("must be pressure, always or never");
        };
    }
}
