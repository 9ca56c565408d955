package dev.vestibule.page.hosted;

import dev.vestibule.project.Language;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/** What the page says, in each language. */
final class HostedPhrases {
    private static final String APPLICATION = "{application}";
    private static final int MINUTES = 60;

    private final Map<Language, Properties> phrases = new EnumMap<>(Language.class);

    HostedPhrases() {
        for (var language : Language.values()) {
            phrases.put(language, read("/page/hosted/" + language.text() + ".properties"));
        }
    }

    private static Properties read(String file) {
        var properties = new Properties();
        try (var stream = Objects.requireNonNull(HostedPhrases.class.getResourceAsStream(file), file);
                var reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return properties;
    }

    /** How long that is, in whole minutes or hours that are not less. */
    String wait(Language language, Duration duration) {
        var minutes = Math.max(1, duration.plusSeconds(59).toMinutes());
        var isLong = minutes > MINUTES;
        return Objects.requireNonNull(phrases.get(language))
                .getProperty(isLong ? "wait.hours" : "wait.minutes")
                .replace("{n}", String.valueOf(isLong ? (minutes + MINUTES - 1) / MINUTES : minutes));
    }

    /** All phrases as plain text, with the application's name in them. */
    Map<String, String> of(Language language, String application) {
        var texts = new HashMap<String, String>();
        Objects.requireNonNull(phrases.get(language))
                .forEach((key, text) ->
                        texts.put(String.valueOf(key), String.valueOf(text).replace(APPLICATION, application)));
        return texts;
    }
}
