package dev.vestibule.config;

/** Limits of user imports on this node. */
public record ImportSettings(int perProject, int total, int lineBytes, int resultBytes) {
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
                        "Maximum number of imports of all projects at once; further ones get 503."),
                imports.value(
                        "lineBytes",
                        SettingType.bytes(1024, 16 * 1024 * 1024),
                        "65536",
                        "Longest line of an import; a longer line ends the import."),
                imports.value(
                        "resultBytes",
                        SettingType.bytes(1024, 1024 * 1024 * 1024),
                        "16777216",
                        "Results of one import that may wait for the client to read them; beyond it the import waits."));
    }
}
