package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Locale.LanguageRange;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The languages in which this server writes to people; the text is the code of ISO 639. */
public enum Language {
    EN,
    KO,
    JA,
    ZH,
    DE,
    FR,
    ES,
    PT;

    private static final int LONGEST_HEADER = 1000;
    private static final List<Locale> LOCALES =
            Arrays.stream(values()).map(Language::locale).toList();

    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Locale locale() {
        return new Locale(text());
    }

    private static Optional<Language> find(String text) {
        return Arrays.stream(values())
                .filter(language -> language.text().equals(text))
                .findFirst();
    }

    public static Language of(String text) {
        return find(text).orElseThrow();
    }

    /** The rule of a field that names one. */
    public static Language field(String text) {
        return find(text)
                .orElseThrow(() -> new InvalidValueException("must be one of "
                        + Arrays.stream(values()).map(Language::text).collect(Collectors.joining(", "))));
    }

    /** The best of what an {@code Accept-Language} header asks for (RFC 4647, 3.4), else English. */
    static Language accepted(@Nullable String header) {
        if (header == null || header.length() > LONGEST_HEADER) {
            return EN;
        }
        try {
            var best = Locale.lookup(LanguageRange.parse(header), LOCALES);
            return best == null ? EN : of(best.getLanguage());
        } catch (IllegalArgumentException malformed) {
            return EN;
        }
    }
}
