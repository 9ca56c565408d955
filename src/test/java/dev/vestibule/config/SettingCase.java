package dev.vestibule.config;

/** A setting, where it lands, what it is by default, and another value for it as text and as it arrives. */
record SettingCase(String name, String variable, String component, Object byDefault, String text, Object value) {
    SettingCase(String name, String variable, Object byDefault, String text, Object value) {
        this(name, variable, name, byDefault, text, value);
    }

    @Override
    public String toString() {
        return name;
    }
}
