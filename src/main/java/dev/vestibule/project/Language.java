package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.vestibule.error.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Locale.LanguageRange;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The languages in which this server writes mails; the text is the ISO 639 code. */
public enum Language {
    EN,
    KO,
    JA,
    ZH,
    DE,
    FR,
    ES,
    PT;

    private static final int MAX_HEADER_LENGTH = 1000;
    private static final int MAX_TAGS = 10;
    private static final int MAX_RANGES = 20;
    private static final int MAX_RANGE_LENGTH = 35; // RFC 5646, 4.4.1

    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Locale locale() {
        return new Locale(text());
    }

    /** Reads the language from a field of a request or of a row. */
    public static Language of(String text) {
        return Arrays.stream(values())
                .filter(language -> language.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new InvalidValueException("must be one of "
                        + Arrays.stream(values()).map(Language::text).collect(Collectors.joining(", "))));
    }

    /** The first of these language tags (RFC 5646) that this server has, such as {@code de-CH fr}. */
    public static Optional<Language> ofTags(String tags) {
        return Arrays.stream(tags.split(" ", MAX_TAGS + 1))
                .limit(MAX_TAGS)
                .map(tag -> Locale.forLanguageTag(tag).getLanguage())
                .flatMap(named -> Arrays.stream(values()).filter(language -> named.equals(language.text())))
                .findFirst();
    }

    /**
     * The best match for an {@code Accept-Language} header (RFC 4647, 3.4), or English. Regions and scripts make no
     * difference; and the JDK's own look-up of a range with hundreds of subtags takes a third of a second.
     */
    public static Language ofHeader(@Nullable String header) {
        if (header == null || header.length() > MAX_HEADER_LENGTH) {
            return EN;
        }
        var ranges = Arrays.stream(header.split(",", MAX_RANGES + 1))
                .limit(MAX_RANGES)
                .filter(range -> range.length() <= MAX_RANGE_LENGTH)
                .collect(Collectors.joining(","));
        try {
            return LanguageRange.parse(ranges).stream()
                    .filter(range -> range.getWeight() > 0)
                    .map(range -> range.getRange().split("-", 2)[0])
                    .flatMap(named -> Arrays.stream(values()).filter(language -> named.equals(language.text())))
                    .findFirst()
                    .orElse(EN);
        } catch (IllegalArgumentException malformed) {
            return EN;
        }
    }
}
