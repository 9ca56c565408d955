package dev.vestibule.config;

import java.net.URI;
import java.time.Duration;

/** The cost of a password hash, how many may run or wait at once, and where breached passwords are looked up. */
public record PasswordSettings(
        int memoryKibibytes,
        int iterations,
        int parallelism,
        int threads,
        int queue,
        boolean breachCheck,
        URI breachUrl,
        Duration breachTimeout) {

    static PasswordSettings read(SettingsSection passwords) {
        return new PasswordSettings(
                passwords.value(
                        "memory",
                        SettingType.kibibytes(1024, 1024 * 1024),
                        "19456",
                        "Memory of one hash. After a change of memory, iterations or parallelism, each password is hashed"
                                + " again at its next sign in."),
                passwords.value("iterations", SettingType.wholeNumber(1, 100), "2", "Passes over the memory."),
                passwords.value("parallelism", SettingType.wholeNumber(1, 16), "1", "Lanes of one hash."),
                passwords
                        .optional(
                                "threads",
                                SettingType.wholeNumber(1, 256),
                                "4",
                                "Threads that hash passwords. Default: the number of cores.")
                        .orElseGet(Runtime.getRuntime()::availableProcessors),
                passwords.value(
                        "queue",
                        SettingType.wholeNumber(1, 100_000),
                        "256",
                        "Maximum number of sign ins that wait for a thread; beyond it, the project with most of them gets"
                                + " 503."),
                passwords.value(
                        "breachCheck",
                        SettingType.FLAG,
                        "false",
                        "true looks new passwords up in Pwned Passwords, which learns 5 digits of a hash; those found are"
                                + " refused. Common passwords are refused in any case."),
                passwords.value(
                        "breachUrl",
                        SettingType.HTTP_URL,
                        "https://api.pwnedpasswords.com",
                        "The service for breachCheck: any with the range API of Pwned Passwords, in your own network"
                                + " too."),
                passwords.value(
                        "breachTimeoutMillis",
                        SettingType.millis(50, 30_000),
                        "1000",
                        "Longest wait for that service; a password that it could not check is taken."));
    }
}
