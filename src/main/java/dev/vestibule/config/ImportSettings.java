package dev.vestibule.config;

import java.time.Duration;

/** Limits of user imports on this node, and what an imported password hash may cost. */
public record ImportSettings(
        int perProject,
        int total,
        int lineBytes,
        Duration lineTime,
        Duration limit,
        int resultBytes,
        int argon2MemoryKibibytes,
        int argon2Work,
        int argon2Parallelism,
        int bcryptCost,
        int scryptWork,
        int pbkdf2Iterations) {

    static ImportSettings read(SettingsSection imports) {
        SettingType<Integer> atOnce = SettingType.wholeNumber(1, 1000);
        return new ImportSettings(
                imports.value(
                        "perProject",
                        atOnce,
                        "2",
                        "Maximum number of imports of one project at once; further ones get 503."),
                imports.value(
                        "total",
                        atOnce,
                        "4",
                        "Maximum number of imports of all projects at once; further ones get 503. If this is more"
                                + " than one, one client network can use at most one less."),
                imports.value(
                        "lineBytes",
                        SettingType.bytes(1024, 16 * 1024 * 1024),
                        "65536",
                        "Longest line of an import; a longer line ends the import."),
                imports.value(
                        "lineSeconds",
                        SettingType.seconds(1, 3600),
                        "20",
                        "An import whose client sends no whole line for this long is ended."),
                imports.value(
                        "maxSeconds",
                        SettingType.seconds(1, 7 * 24 * 3600),
                        "14400",
                        "An import that takes longer is ended; the rest can be sent as another import, with skip."),
                imports.value(
                        "resultBytes",
                        SettingType.bytes(1024, 1024 * 1024 * 1024),
                        "16777216",
                        "Results of one import that can wait for the client to read them; above it the import pauses."),
                imports.value(
                        "argon2Memory",
                        SettingType.kibibytes(1024, 256 * 1024),
                        "131072",
                        "Highest memory (m) of an imported Argon2 hash; a hash that needs more is refused."),
                imports.value(
                        "argon2Work",
                        SettingType.wholeNumber(1024, 1024 * 1024),
                        "393216",
                        "Highest memory in KiB times passes (m t) of an imported Argon2 hash."),
                imports.value(
                        "argon2Parallelism",
                        SettingType.wholeNumber(1, 16),
                        "8",
                        "Maximum lanes (p) of an imported Argon2 hash; each is a thread."),
                imports.value(
                        "bcryptCost", SettingType.wholeNumber(4, 14), "13", "Highest cost of an imported bcrypt hash."),
                imports.value(
                        "scryptWork",
                        SettingType.bytes(1024 * 1024, 512 * 1024 * 1024),
                        "134217728",
                        "Highest 128 N r p of an imported scrypt hash."),
                imports.value(
                        "pbkdf2Iterations",
                        SettingType.wholeNumber(1000, 2_000_000),
                        "1500000",
                        "Maximum iterations of an imported PBKDF2 hash."));
    }
}
