package dev.vestibule.config;

import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The declaration of one setting, as the reference file shows it.
 *
 * @param example the default, or an example if there is no default ({@code hasDefault} is false)
 * @param masking what of a value people may see
 */
record Setting(
        String name,
        String description,
        String allowed,
        String example,
        boolean hasDefault,
        boolean list,
        UnaryOperator<String> masking) {
    /** The environment variable: http.trustedProxies is VESTIBULE_HTTP_TRUSTED_PROXIES. */
    String variable() {
        String words = name.replace('.', '_').replaceAll("([a-z0-9])([A-Z])", "$1_$2");
        return SettingSources.PREFIX + words.toUpperCase(Locale.ROOT);
    }
}
