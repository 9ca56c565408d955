package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.error.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where a provider's responses hold a text about a user: the first of several places that has one. */
public record TextSource(List<Template> alternatives) {
    public static final String ID_TOKEN = "idToken";
    public static final String USER_INFO = "userInfo";
    public static final String PRIMARY_EMAIL = "primaryEmail";
    public static final String POSTED = "posted";
    private static final List<String> SOURCES = List.of(ID_TOKEN, USER_INFO, PRIMARY_EMAIL, POSTED);

    static final TextSource NONE = new TextSource(List.of());

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public TextSource {
        alternatives = List.copyOf(alternatives);
    }

    /** The first alternative whose values are all present. */
    public Optional<String> read(JsonNode responses) {
        return alternatives.stream()
                .flatMap(template -> template.read(responses).stream())
                .findFirst();
    }

    boolean mentions(String source) {
        return alternatives.stream().anyMatch(template -> template.mentions(source));
    }

    /** A text with JSON pointers as placeholders; it is present only if every pointer leads to a value. */
    public record Template(List<Part> parts) {
        private static final Pattern PLACEHOLDER = Pattern.compile("\\{(/[^{}]+)}");

        public Template {
            parts = List.copyOf(parts);
        }

        /** A JSON pointer, or a text with pointers in braces. */
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Template of(String text) {
            if (text.startsWith("/")) {
                return new Template(List.of(new Part("", pointer(text))));
            }
            var parts = new ArrayList<Part>();
            var placeholders = PLACEHOLDER.matcher(text);
            var end = 0;
            while (placeholders.find()) {
                parts.add(new Part(text.substring(end, placeholders.start()), pointer(placeholders.group(1))));
                end = placeholders.end();
            }
            if (parts.isEmpty()) {
                throw new InvalidValueException("must hold a JSON pointer, such as /userInfo/id");
            }
            parts.add(new Part(text.substring(end), null));
            return new Template(parts);
        }

        private Optional<String> read(JsonNode responses) {
            var text = new StringBuilder();
            for (var part : parts) {
                text.append(part.before());
                var pointer = part.pointer();
                if (pointer == null) {
                    continue;
                }
                var found = responses.at(pointer);
                if (!(found.isTextual() || found.isIntegralNumber())
                        || found.asText().isEmpty()) {
                    return Optional.empty();
                }
                text.append(found.asText());
            }
            return Optional.of(text.toString());
        }

        private boolean mentions(String source) {
            return parts.stream().anyMatch(part -> {
                var pointer = part.pointer();
                return pointer != null && source.equals(pointer.getMatchingProperty());
            });
        }
    }

    /** A piece of fixed text, and the pointer to the value that follows it. */
    public record Part(String before, @Nullable JsonPointer pointer) {}

    static JsonPointer pointer(String text) {
        try {
            var pointer = JsonPointer.compile(text);
            if (!SOURCES.contains(String.valueOf(pointer.getMatchingProperty()))) {
                throw new InvalidValueException("must point into /" + String.join(", /", SOURCES));
            }
            return pointer;
        } catch (IllegalArgumentException malformed) {
            throw new InvalidValueException("must be a JSON pointer, such as /userInfo/id");
        }
    }
}
