package dev.vestibule.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The sender of mails, their templates, and how long this node tries to send one. */
public record MailSettings(
        String from,
        String fromName,
        Optional<Path> templates,
        int inFlight,
        Duration pollInterval,
        Duration attemptLimit,
        Duration firstRetry,
        Duration longestRetry,
        Duration giveUpAfter,
        int filesKept,
        int perAddressPerDay,
        int perNetworkPerDay,
        int perProjectPerDay) {

    static MailSettings read(SettingsSection mail, String publicHost, Path workingDirectory) {
        return new MailSettings(
                mail.optional(
                                "from",
                                SettingType.EMAIL,
                                "no-reply@example.com",
                                "The sender's address; the sender's name is the project's brand, or fromName."
                                        + " Default: no-reply at the host of publicUrl.")
                        .orElse("no-reply@" + publicHost),
                mail.value(
                        "fromName",
                        SettingType.LINE,
                        "Vestibule",
                        "The sender's name for invitations to the dashboard: their readers may not know the project, so"
                                + " its name is not used."),
                mail.optional(
                        "templates",
                        SettingType.existingFolder(workingDirectory),
                        "/etc/vestibule/mail",
                        "Folder whose files replace the built-in ones of the same names: layout.html and layout.txt"
                                + " (Pebble), and a file for each language, such as en.properties."),
                mail.value(
                        "inFlight",
                        SettingType.wholeNumber(1, 64),
                        "8",
                        "Maximum number of mails that this node sends at once."),
                mail.value(
                        "pollSeconds",
                        SettingType.seconds(1, 3600),
                        "5",
                        "How often this node looks for mails that are due again or that another node left unsent."),
                mail.value(
                        "attemptSeconds",
                        SettingType.seconds(1, 600),
                        "60",
                        "Longest time for one attempt to send a mail."),
                mail.value(
                        "retrySeconds",
                        SettingType.seconds(1, 3600),
                        "5",
                        "Pause after the first failed attempt. It doubles after each further one, varied at random by up"
                                + " to 20 %."),
                mail.value(
                        "longestRetrySeconds",
                        SettingType.seconds(1, 86_400),
                        "600",
                        "Longest pause between two attempts."),
                mail.value(
                        "giveUpSeconds",
                        SettingType.seconds(60, 604_800),
                        "86400",
                        "A mail that could not be sent for this long is dropped."),
                mail.value(
                        "filesKept",
                        SettingType.wholeNumber(0, 10_000),
                        "100",
                        "Without smtp.url: how many of the latest mails are kept as files, in mails below dataDir."),
                mail.value(
                        "perAddressPerDay",
                        SettingType.wholeNumber(1, 10_000),
                        "20",
                        "Mails with codes and links per project and day to one address that nobody has verified, on"
                                + " all nodes together; further ones are not sent."),
                mail.value(
                        "perNetworkPerDay",
                        SettingType.wholeNumber(1, 1_000_000),
                        "500",
                        "These mails to any address that one client network can request per project and day. Networks"
                                + " that an account knows have a separate budget of the same size."),
                mail.value(
                        "perProjectPerDay",
                        SettingType.wholeNumber(1, 100_000_000),
                        "50000",
                        "These mails of one project per day, with a separate budget of the same size for networks"
                                + " that accounts know: the most that a flood can make you send."));
    }
}
