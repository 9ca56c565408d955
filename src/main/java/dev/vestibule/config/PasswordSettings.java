package dev.vestibule.config;

/** The cost of a password hash, and how many may run or wait at once. */
public record PasswordSettings(int memoryKibibytes, int iterations, int parallelism, int threads, int queue) {
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
                                + " 503."));
    }
}
