package dev.vestibule.config;

import java.util.Locale;

/**
 * The declaration of one setting: what a person may know of it before it has a value.
 *
 * @param shown the default, or where there is none ({@code hasDefault} is false) an example
 */
record Setting(String name, String meaning, String allowed, String shown, boolean hasDefault, boolean list) {
    /** The one rule from a setting's name to its variable. */
    String variable() {
        String words = name.replace('.', '_').replaceAll("([a-z0-9])([A-Z])", "$1_$2");
        return SettingSources.PREFIX + words.toUpperCase(Locale.ROOT);
    }
}
