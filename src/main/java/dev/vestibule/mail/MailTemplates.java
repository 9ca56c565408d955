package dev.vestibule.mail;

import dev.vestibule.config.InvalidConfigurationException;
import dev.vestibule.project.Language;
import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.error.PebbleException;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/**
 * The templates of mails (Pebble): two layouts, and the phrases of each language. A layout in the operator's folder
 * replaces the built-in one; a file of phrases replaces only the phrases that it contains, so that a new release with
 * more phrases starts with the files of an old one. All templates are read and compiled once.
 */
final class MailTemplates {
    private static final String HTML = "layout.html";
    private static final String TEXT = "layout.txt";

    private final Optional<Path> folder;
    private final PebbleTemplate html;
    private final PebbleTemplate text;
    private final Map<Language, Properties> sources = new EnumMap<>(Language.class);
    private final Map<Language, Map<String, PebbleTemplate>> phrases = new EnumMap<>(Language.class);

    MailTemplates(Optional<Path> folder) {
        this.folder = folder;
        html = compile(engine(true), HTML, read(HTML));
        var plain = engine(false);
        text = compile(plain, TEXT, read(TEXT));
        for (var language : Language.values()) {
            phrases.put(language, phrases(plain, language));
        }
    }

    /** An unknown variable in a template is an error, not an empty string. */
    private static PebbleEngine engine(boolean escapes) {
        return new PebbleEngine.Builder()
                .autoEscaping(escapes)
                .strictVariables(true)
                .newLineTrimming(false)
                .build();
    }

    private Map<String, PebbleTemplate> phrases(PebbleEngine engine, Language language) {
        var file = language.text() + ".properties";
        var properties = new Properties();
        try {
            properties.load(new StringReader(builtIn(file)));
            var custom = custom(file);
            if (custom.isPresent()) {
                properties.load(new StringReader(custom.get()));
            }
        } catch (IOException | IllegalArgumentException malformed) {
            throw invalid(file, malformed);
        }
        sources.put(language, properties);
        var compiled = new HashMap<String, PebbleTemplate>();
        properties
                .stringPropertyNames()
                .forEach(key -> compiled.put(
                        key, compile(engine, file + ", " + key, Objects.requireNonNull(properties.getProperty(key)))));
        return compiled;
    }

    private static PebbleTemplate compile(PebbleEngine engine, String name, String source) {
        try {
            return engine.getLiteralTemplate(source);
        } catch (PebbleException malformed) {
            throw invalid(name, malformed);
        }
    }

    private String read(String name) {
        try {
            var custom = custom(name);
            return custom.isPresent() ? custom.get() : builtIn(name);
        } catch (IOException failure) {
            throw invalid(name, failure);
        }
    }

    /** The operator's file. */
    private Optional<String> custom(String name) throws IOException {
        var file = folder.map(path -> path.resolve(name)).filter(Files::exists);
        return file.isPresent() ? Optional.of(Files.readString(file.get())) : Optional.empty();
    }

    private static String builtIn(String name) throws IOException {
        try (var file = Objects.requireNonNull(MailTemplates.class.getResourceAsStream("/mail/" + name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A phrase in plain text. */
    String phrase(Language language, String key, Map<String, Object> values) {
        var phrase = Objects.requireNonNull(phrases.get(language)).get(key);
        if (phrase == null) {
            throw new IllegalStateException(language.text() + ".properties has no phrase " + key);
        }
        return render(phrase, language, values);
    }

    /** A phrase as it was written, with its placeholders. */
    String source(Language language, String key) {
        return Objects.requireNonNull(
                Objects.requireNonNull(sources.get(language)).getProperty(key), key);
    }

    String html(Language language, Map<String, Object> values) {
        return render(html, language, values);
    }

    String text(Language language, Map<String, Object> values) {
        return render(text, language, values);
    }

    private static String render(PebbleTemplate template, Language language, Map<String, Object> values) {
        try {
            var written = new StringWriter();
            template.evaluate(written, values, language.locale());
            return written.toString();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    static InvalidConfigurationException invalid(String name, Exception cause) {
        return new InvalidConfigurationException(
                List.of(String.format(Locale.ROOT, "mail.templates: %s: %s", name, cause.getMessage())));
    }
}
