package dev.vestibule.oauth;

import dev.vestibule.project.Language;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/** What the pages say, in each language. */
final class PagePhrases {
    private static final String APPLICATION = "{application}";

    private final Map<Language, Properties> phrases = new EnumMap<>(Language.class);

    PagePhrases() {
        for (var language : Language.values()) {
            phrases.put(language, read("/oauth/" + language.text() + ".properties"));
        }
    }

    private static Properties read(String file) {
        var properties = new Properties();
        try (var stream = Objects.requireNonNull(PagePhrases.class.getResourceAsStream(file), file);
                var reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return properties;
    }

    /** Plain text, which is still to be escaped. */
    String phrase(Language language, String key) {
        var phrase = Objects.requireNonNull(phrases.get(language)).getProperty(key);
        if (phrase == null) {
            throw new IllegalStateException(language.text() + ".properties has no phrase " + key);
        }
        return phrase;
    }

    /** The phrase with the application's name in it. */
    String phrase(Language language, String key, String application) {
        return phrase(language, key).replace(APPLICATION, application);
    }
}
