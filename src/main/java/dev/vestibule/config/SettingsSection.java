package dev.vestibule.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Declares the settings of one group and reads each in the same breath; a wrong value is noted and passed over. */
final class SettingsSection {
    private final String name;
    private final String meaning;
    private final SettingsReader reader;
    private final List<Setting> settings = new ArrayList<>();

    SettingsSection(String name, String meaning, SettingsReader reader) {
        this.name = name;
        this.meaning = meaning;
        this.reader = reader;
    }

    String name() {
        return name;
    }

    String meaning() {
        return meaning;
    }

    List<Setting> settings() {
        return settings;
    }

    /** A setting that always has a value. The default is a text too, so that the same bounds hold for it. */
    <T> T value(String key, SettingType<T> type, String byDefault, String meaning) {
        Setting setting = declare(key, meaning, type, byDefault, true, false);
        return reader.find(setting)
                .flatMap(given -> single(setting, type, given))
                .orElseGet(() -> type.parser().apply(byDefault));
    }

    /** A setting that may be left out, or be left to what the caller works out. */
    <T> Optional<T> optional(String key, SettingType<T> type, String example, String meaning) {
        Setting setting = declare(key, meaning, type, example, false, false);
        return reader.find(setting).filter(given -> !given.isEmpty()).flatMap(given -> single(setting, type, given));
    }

    /** A setting of many values, none by default. */
    <T> List<T> list(String key, SettingType<T> type, String example, String meaning) {
        Setting setting = declare(key, meaning, type, example, false, true);
        return reader.find(setting).stream()
                .flatMap(given ->
                        given.elements().stream().flatMap(element -> parse(setting, type, given, element).stream()))
                .toList();
    }

    private Setting declare(
            String key, String meaning, SettingType<?> type, String shown, boolean hasDefault, boolean list) {
        String fullName = name.isEmpty() ? key : name + "." + key;
        Setting setting = new Setting(fullName, meaning, type.allowed(), shown, hasDefault, list);
        settings.add(setting);
        return setting;
    }

    private <T> Optional<T> single(Setting setting, SettingType<T> type, RawSetting given) {
        if (given.sequence()) {
            reader.refuse(setting, given, "must be a single value, not a list");
            return Optional.empty();
        }
        if (given.isEmpty()) {
            reader.refuse(setting, given, "must be " + type.allowed() + ", but is empty");
            return Optional.empty();
        }
        return parse(setting, type, given, given.text());
    }

    private <T> Optional<T> parse(Setting setting, SettingType<T> type, RawSetting given, String text) {
        try {
            return Optional.of(type.parser().apply(text));
        } catch (InvalidSettingException e) {
            reader.refuse(setting, given, e.getMessage());
        } catch (IllegalArgumentException e) {
            // Its own message may repeat the value, which may be a secret.
            reader.refuse(setting, given, type.complaint(text));
        }
        return Optional.empty();
    }
}
