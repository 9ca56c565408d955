package dev.vestibule.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads all settings once: finds their texts, and collects their declarations and all faults. */
final class SettingsReader {
    private final SettingSources sources;
    private final List<SettingsSection> sections = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    SettingsReader(SettingSources sources) {
        this.sources = sources;
        problems.addAll(sources.problems());
    }

    SettingsSection section(String name, String description) {
        SettingsSection section = new SettingsSection(name, description, sources, problems);
        sections.add(section);
        return section;
    }

    List<SettingsSection> sections() {
        return sections;
    }

    /** All environment variables, for settings that are not Vestibule's own. */
    Map<String, String> environment() {
        return sources.environment();
    }

    /** True for a wrong value too, so that it is not reported as missing as well. */
    boolean isSet(String name) {
        return sources.find(named(name)).filter(raw -> !raw.isEmpty()).isPresent();
    }

    /**
     * Reports a setting that is missing, or wrong only in combination with another. Reports nothing if a source could
     * not be read completely, because the missing setting may be in it.
     */
    void reject(String name, String message) {
        if (!sources.problems().isEmpty()) {
            return;
        }
        Setting setting = named(name);
        String origin = sources.find(setting).map(RawSetting::origin).orElseGet(setting::variable);
        problems.add("%s (%s): %s".formatted(name, origin, message));
    }

    void finish() {
        var names = sections.stream().map(SettingsSection::name).collect(Collectors.toSet());
        problems.addAll(sources.unknown(names, settings().toList()));
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
    }

    /** Every setting with its effective value; secrets are masked. */
    List<EffectiveSetting> effective() {
        return settings()
                .map(setting -> effective(setting, sources.find(setting)))
                .toList();
    }

    private static EffectiveSetting effective(Setting setting, Optional<RawSetting> found) {
        return found.filter(raw -> !raw.isEmpty())
                .map(raw -> new EffectiveSetting(
                        setting.name(),
                        (setting.list() ? raw.elements() : List.of(raw.text()))
                                .stream().map(setting.masking()).collect(Collectors.joining(", ")),
                        raw.origin()))
                .orElseGet(
                        () -> new EffectiveSetting(setting.name(), setting.hasDefault() ? setting.example() : "", ""));
    }

    private Setting named(String name) {
        return settings()
                .filter(setting -> setting.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Stream<Setting> settings() {
        return sections.stream().flatMap(section -> section.settings().stream());
    }
}
