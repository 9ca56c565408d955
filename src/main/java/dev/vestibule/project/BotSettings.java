package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import org.jspecify.annotations.Nullable;

/**
 * How a project protects itself against bots.
 *
 * @param siteKey the public key of the project's account with the provider; null for a proof of work
 */
public record BotSettings(
        @ProjectSetting(column = "captcha_demand", field = "captcha.when")
        CaptchaDemand when,

        @ProjectSetting(column = "captcha_provider", field = "captcha.provider")
        CaptchaProvider provider,

        @ProjectSetting(column = "captcha_site_key", field = "captcha.siteKey", rule = TextRule.SITE_KEY) @Nullable
        String siteKey,

        @ProjectSetting(column = "disposable_emails") DisposableEmailRule disposableEmails) {

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
}
