package dev.vestibule.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One reading of all settings: hands out values, learns which settings there are, and collects what is wrong. */
final class SettingsReader {
    private final SettingSources sources;
    private final List<SettingsSection> groups = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    SettingsReader(SettingSources sources) {
        this.sources = sources;
        problems.addAll(sources.problems());
    }

    SettingsSection group(String name, String meaning) {
        SettingsSection group = new SettingsSection(name, meaning, this);
        groups.add(group);
        return group;
    }

    List<SettingsSection> groups() {
        return groups;
    }

    Optional<RawSetting> find(Setting setting) {
        return sources.find(setting);
    }

    /** True for a wrong value too: so that it is not called missing as well. */
    boolean isGiven(String name) {
        return find(named(name)).filter(given -> !given.isEmpty()).isPresent();
    }

    void refuse(Setting setting, RawSetting given, String why) {
        problems.add("%s (%s): %s".formatted(setting.name(), given.origin(), why));
    }

    /**
     * Refuses what no source gave, or what is wrong only together with another. Says nothing while a source could not
     * be read in full, since what is missed may stand there.
     */
    void refuse(String name, String why) {
        if (!sources.problems().isEmpty()) {
            return;
        }
        Setting setting = named(name);
        String origin = find(setting).map(RawSetting::origin).orElseGet(setting::variable);
        problems.add("%s (%s): %s".formatted(name, origin, why));
    }

    void finish() {
        problems.addAll(sources.unknown(groups));
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
    }

    private Setting named(String name) {
        return groups.stream()
                .flatMap(group -> group.settings().stream())
                .filter(setting -> setting.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
