package dev.vestibule.config;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.api.Assertions;

/** What the tests of this package share: a working directory and an environment, and the settings that result. */
record Loading(Path folder, Map<String, String> environment) {
    static final String SECRET = "a-master-secret-that-is-long-enough";

    static Loading in(Path folder) {
        return new Loading(folder, Map.of());
    }

    /** The declarations, collected by reading an empty configuration. */
    static List<Setting> declared() {
        return sections().stream()
                .flatMap(section -> section.settings().stream())
                .toList();
    }

    static List<SettingsSection> sections() {
        SettingsReader reader = new SettingsReader(new SettingSources(Map.of(), Map.of(), List.of()));
        Settings.read(reader, Path.of(""));
        return reader.sections();
    }

    /** The defaults. */
    static Map<String, Object> components() {
        return components(in(SettingCases.NOWHERE).settings());
    }

    /**
     * Every leaf of the tree of settings by its path. Traces have none: OpenTelemetry names their variables, and no
     * file sets them. The report of where they come from is no setting.
     */
    static Map<String, Object> components(Settings settings) {
        return components(settings, "");
    }

    private static Map<String, Object> components(Record settings, String prefix) {
        Map<String, Object> leaves = new TreeMap<>();
        for (var component : settings.getClass().getRecordComponents()) {
            if (component.getType() == TraceSettings.class || component.getType() == SettingsReport.class) {
                continue;
            }
            try {
                Object value = component.getAccessor().invoke(settings);
                String path = prefix + component.getName();
                if (value instanceof Record nested) {
                    leaves.putAll(components(nested, path + "."));
                } else {
                    leaves.put(path, value);
                }
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }
        return leaves;
    }

    Loading file(String... lines) {
        try {
            Path file = folder.resolve("config/vestibule.yaml");
            Files.createDirectories(folder.resolve("config"));
            Files.writeString(file, String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Each as NAME=value. */
    Loading environment(String... variables) {
        return new Loading(
                folder,
                Arrays.stream(variables)
                        .collect(toMap(
                                variable -> variable.substring(0, variable.indexOf('=')),
                                variable -> variable.substring(variable.indexOf('=') + 1))));
    }

    Settings settings() {
        return settings(Optional.empty());
    }

    Settings settings(Optional<Path> configFile) {
        return Settings.load(configFile, environment, folder);
    }

    List<EffectiveSetting> effective() {
        return Settings.list(Optional.empty(), environment, folder);
    }

    List<String> faults() {
        return faults(Optional.empty());
    }

    List<String> faults(Optional<Path> configFile) {
        InvalidConfigurationException failure =
                Assertions.catchThrowableOfType(InvalidConfigurationException.class, () -> settings(configFile));
        return failure == null ? List.of() : failure.lines();
    }
}
