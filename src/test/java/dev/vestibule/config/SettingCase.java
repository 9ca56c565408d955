package dev.vestibule.config;

/** A setting, the component that it sets, its default, and another value as text and as parsed. */
record SettingCase(String name, String variable, String component, Object byDefault, String text, Object value) {
    SettingCase(String name, String variable, Object byDefault, String text, Object value) {
        this(name, variable, name, byDefault, text, value);
    }

    @Override
    public String toString() {
        return name;
    }
}
