package dev.vestibule.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Declares the settings of one section and reads each at the same time; a wrong value is reported and skipped. */
final class SettingsSection {
    private final String name;
    private final String description;
    private final SettingSources sources;
    private final List<String> problems;
    private final List<Setting> settings = new ArrayList<>();

    /** Adds what is wrong with values to the problems. */
    SettingsSection(String name, String description, SettingSources sources, List<String> problems) {
        this.name = name;
        this.description = description;
        this.sources = sources;
        this.problems = problems;
    }

    String name() {
        return name;
    }

    String description() {
        return description;
    }

    List<Setting> settings() {
        return settings;
    }

    /** A setting that always has a value. The default is also a text, so that the same rules parse it. */
    <T> T value(String key, SettingType<T> type, String defaultText, String description) {
        Setting setting = declare(key, description, type, defaultText, true, false);
        return sources.find(setting)
                .flatMap(raw -> single(setting, type, raw))
                .orElseGet(() -> type.parser().apply(defaultText));
    }

    /** A setting without a default, or with a default that the caller computes. */
    <T> Optional<T> optional(String key, SettingType<T> type, String example, String description) {
        Setting setting = declare(key, description, type, example, false, false);
        return sources.find(setting).filter(raw -> !raw.isEmpty()).flatMap(raw -> single(setting, type, raw));
    }

    /** A setting with a list of values, empty by default. */
    <T> List<T> list(String key, SettingType<T> type, String example, String description) {
        Setting setting = declare(key, description, type, example, false, true);
        return sources.find(setting).stream()
                .flatMap(raw -> raw.elements().stream().flatMap(element -> parse(setting, type, raw, element).stream()))
                .toList();
    }

    private Setting declare(
            String key, String description, SettingType<?> type, String example, boolean hasDefault, boolean list) {
        String fullName = name.isEmpty() ? key : name + "." + key;
        Setting setting = new Setting(fullName, description, type.allowed(), example, hasDefault, list, type.masking());
        settings.add(setting);
        return setting;
    }

    private <T> Optional<T> single(Setting setting, SettingType<T> type, RawSetting raw) {
        if (raw.sequence()) {
            reject(setting, raw, "must be a single value, not a list");
            return Optional.empty();
        }
        if (raw.isEmpty()) {
            reject(setting, raw, "must be " + type.allowed() + ", but is empty");
            return Optional.empty();
        }
        return parse(setting, type, raw, raw.text());
    }

    private <T> Optional<T> parse(Setting setting, SettingType<T> type, RawSetting raw, String text) {
        try {
            return Optional.of(type.parser().apply(text));
        } catch (InvalidSettingException e) {
            reject(setting, raw, e.getMessage());
        } catch (IllegalArgumentException e) {
            // Its own message may repeat the value, which may be a secret.
            reject(setting, raw, type.message(text));
        }
        return Optional.empty();
    }

    private void reject(Setting setting, RawSetting raw, String message) {
        problems.add("%s (%s): %s".formatted(setting.name(), raw.origin(), message));
    }
}
