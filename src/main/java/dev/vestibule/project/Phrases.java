package dev.vestibule.project;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;

/** The texts of pages, in each language: plain text, which the caller must escape. */
public final class Phrases {
    private static final String APPLICATION = "{application}";

    private final String folder;
    private final Map<Language, Map<String, String>> phrases = new ConcurrentHashMap<>();

    /** Reads a folder of the resources, which has a file for each language, when somebody first needs the phrases. */
    public Phrases(String folder) {
        this.folder = folder;
    }

    private static Map<String, String> read(String file) {
        var properties = new Properties();
        try (var stream = Objects.requireNonNull(Phrases.class.getResourceAsStream(file), file);
                var reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        var phrases = new HashMap<String, String>();
        properties.forEach((key, text) -> phrases.put(String.valueOf(key), String.valueOf(text)));
        return Map.copyOf(phrases);
    }

    public String phrase(Language language, String key) {
        var phrase = of(language).get(key);
        if (phrase == null) {
            throw new IllegalStateException(language.text() + ".properties has no phrase " + key);
        }
        return phrase;
    }

    /** A phrase with the application's name filled in. */
    public String phrase(Language language, String key, String application) {
        return phrase(language, key).replace(APPLICATION, application);
    }

    /** All phrases, with the application's name filled in. */
    public Map<String, String> all(Language language, String application) {
        var texts = new HashMap<String, String>();
        of(language).forEach((key, text) -> texts.put(key, text.replace(APPLICATION, application)));
        return texts;
    }

    private Map<String, String> of(Language language) {
        return phrases.computeIfAbsent(language, needed -> read(folder + "/" + needed.text() + ".properties"));
    }
}
