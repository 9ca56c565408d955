package dev.vestibule.config;

import java.util.Optional;

/** The server that mails are handed over to, if there is one. */
public record SmtpSettings(Optional<SmtpAddress> url) {
    static SmtpSettings read(SettingsSection smtp) {
        return new SmtpSettings(smtp.optional(
                "url",
                SettingType.SMTP,
                "smtp://vestibule:password@smtp.example.com:587",
                "smtps:// is encrypted from the start (port 465), smtp:// after STARTTLS (port 587). starttls is"
                        + " required where there is a password, else optional, which takes any certificate; or"
                        + " disabled. Without a url, mails are written to the log, codes and all: for development"
                        + " alone."));
    }
}
