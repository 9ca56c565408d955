package dev.vestibule.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Who mails come from, what they look like, and how long it is tried to send one. */
public record MailSettings(
        String from,
        Optional<Path> templates,
        int inFlight,
        Duration pollInterval,
        Duration attemptLimit,
        Duration firstRetry,
        Duration longestRetry,
        Duration giveUpAfter) {

    static MailSettings read(SettingsSection mail, String publicHost, Path workingDirectory) {
        return new MailSettings(
                mail.optional(
                                "from",
                                SettingType.EMAIL,
                                "no-reply@example.com",
                                "The sender's address; its name is the project's brand. Default: no-reply at the host"
                                        + " of publicUrl.")
                        .orElse("no-reply@" + publicHost),
                mail.optional(
                        "templates",
                        SettingType.existingFolder(workingDirectory),
                        "/etc/vestibule/mail",
                        "Folder whose files replace the built-in ones of the same names: layout.html and layout.txt"
                                + " (Pebble), and en.properties and the other languages'."),
                mail.value("inFlight", SettingType.wholeNumber(1, 64), "8", "Most mails that this node sends at once."),
                mail.value(
                        "pollSeconds",
                        SettingType.seconds(1, 3600),
                        "5",
                        "How often this node looks for mails that other nodes left or that are due again."),
                mail.value("attemptSeconds", SettingType.seconds(1, 600), "60", "Longest time to hand over one mail."),
                mail.value(
                        "retrySeconds",
                        SettingType.seconds(1, 3600),
                        "5",
                        "Pause after a first attempt that failed; it doubles with each one, within 20 % by chance."),
                mail.value("longestRetrySeconds", SettingType.seconds(1, 86_400), "600", "Longest such pause."),
                mail.value(
                        "giveUpSeconds",
                        SettingType.seconds(60, 604_800),
                        "86400",
                        "A mail that could not be handed over for so long is dropped."));
    }
}
