package dev.vestibule.config;

/** How much imports of users may take of this node. */
public record ImportSettings(int perProject, int total, int lineBytes, int resultBytes) {
    static ImportSettings read(SettingsSection imports) {
        SettingType<Integer> atOnce = SettingType.wholeNumber(1, 1000);
        return new ImportSettings(
                imports.value("perProject", atOnce, "2", "Imports of one project at once; more are answered with 503."),
                imports.value("total", atOnce, "4", "Imports of all projects at once; more are answered with 503."),
                imports.value(
                        "lineBytes",
                        SettingType.bytes(1024, 16 * 1024 * 1024),
                        "65536",
                        "Longest line of an import; a longer one ends it."),
                imports.value(
                        "resultBytes",
                        SettingType.bytes(1024, 1024 * 1024 * 1024),
                        "16777216",
                        "Results of one import that wait for the client to read them; then the import waits too."));
    }
}
