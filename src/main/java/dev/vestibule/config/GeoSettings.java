package dev.vestibule.config;

import java.nio.file.Path;
import java.util.Optional;

/** The file in which countries of IP addresses are looked up, if there is one. */
public record GeoSettings(Optional<Path> databaseFile) {
    static GeoSettings read(SettingsSection geo, Path workingDirectory) {
        return new GeoSettings(geo.optional(
                "databaseFile",
                SettingType.existingFile(workingDirectory),
                "/var/lib/geo/country.mmdb",
                "A country or city database in MaxMind's format, in which client addresses are looked up."));
    }
}
