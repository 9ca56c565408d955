package dev.vestibule.config;

import java.time.Duration;

/** Limits of user exports on this node. */
public record ExportSettings(int perProject, int total, int waitingBytes, Duration stallTime, Duration limit) {

    static ExportSettings read(SettingsSection exports) {
        SettingType<Integer> atOnce = SettingType.wholeNumber(1, 1000);
        return new ExportSettings(
                exports.value(
                        "perProject",
                        atOnce,
                        "1",
                        "Maximum number of exports of one project at once; further ones get 503."),
                exports.value(
                        "total",
                        atOnce,
                        "3",
                        "Maximum number of exports of all projects at once, each on its own database connection in"
                                + " addition to database.poolSize; further ones get 503. If this is more than one,"
                                + " one client network can use at most one less."),
                exports.value(
                        "waitingBytes",
                        SettingType.bytes(1024, 1024 * 1024 * 1024),
                        "1048576",
                        "Lines of one export that can wait for the client to read them; above it the export pauses."),
                exports.value(
                        "stallSeconds",
                        SettingType.seconds(1, 3600),
                        "30",
                        "An export whose client reads nothing for this long is cut off."),
                exports.value(
                        "maxSeconds",
                        SettingType.seconds(1, 7 * 24 * 3600),
                        "14400",
                        "An export that takes longer is cut off: while it runs, the database cannot clean up anything"
                                + " that was deleted since it began."));
    }
}
