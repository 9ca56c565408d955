package dev.vestibule.config;

import java.util.Optional;

/** The SMTP server, if there is one. */
public record SmtpSettings(Optional<SmtpAddress> url) {
    static SmtpSettings read(SettingsSection smtp) {
        return new SmtpSettings(smtp.optional(
                "url",
                SettingType.SMTP,
                "smtp://vestibule:password@smtp.example.com:587",
                "smtps:// is encrypted from the start (port 465), smtp:// after STARTTLS (port 587). starttls is"
                        + " required (the default with a password), optional (the default without one; accepts any"
                        + " certificate) or disabled. Without a url, which is for development only, the log has the"
                        + " code of each mail, and the folder mails in dataDir has the whole mail."));
    }
}
