package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;

/**
 * The ways to tell people from bots: a proof of work by this server, or a provider with which the project has an
 * account.
 */
public enum CaptchaProvider {
    PROOF_OF_WORK("proof_of_work"),
    TURNSTILE("turnstile"),
    HCAPTCHA("hcaptcha");

    private final String text;

    CaptchaProvider(String text) {
        this.text = text;
    }

    @JsonValue
    public String text() {
        return text;
    }

    static CaptchaProvider of(String text) {
        return switch (text) {
            case "proof_of_work" -> PROOF_OF_WORK;
            case "turnstile" -> TURNSTILE;
            case "hcaptcha" -> HCAPTCHA;
            default -> throw new InvalidValueException("must be proof_of_work, turnstile or hcaptcha");
        };
    }
}
