package dev.vestibule.config;

import java.nio.file.Path;
import java.util.Optional;

/** Where countries of addresses are looked up, if anywhere. */
public record GeoSettings(Optional<Path> databaseFile) {
    static GeoSettings read(SettingsSection geo, Path workingDirectory) {
        return new GeoSettings(geo.optional(
                "databaseFile",
                SettingType.existingFile(workingDirectory),
                "/var/lib/geo/country.mmdb",
                "A file in MaxMind's format, of countries or cities, to look up addresses in."));
    }
}
