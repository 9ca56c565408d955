package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.error.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where a text of a user is in what a provider says of them: the first of several places that has one. */
public record TextSource(List<Template> alternatives) {
    public TextSource {
        alternatives = List.copyOf(alternatives);
    }

    static TextSource none() {
        return new TextSource(List.of());
    }

    /** The first alternative that is there, if any is. */
    public Optional<String> read(JsonNode said) {
        return alternatives.stream()
                .flatMap(template -> template.read(said).stream())
                .findFirst();
    }

    boolean mentions(String source) {
        return alternatives.stream().anyMatch(template -> template.mentions(source));
    }

    /** A text with holes, each filled from one place; it is there only where all of these are. */
    public record Template(List<Part> parts) {
        private static final Pattern HOLE = Pattern.compile("\\{(/[^{}]+)}");

        public Template {
            parts = List.copyOf(parts);
        }

        /** A JSON pointer by itself, or a text with pointers in braces; a field rule. */
        static Template of(String text) {
            if (text.startsWith("/")) {
                return new Template(List.of(new Part("", pointer(text))));
            }
            var parts = new ArrayList<Part>();
            var holes = HOLE.matcher(text);
            var end = 0;
            while (holes.find()) {
                parts.add(new Part(text.substring(end, holes.start()), pointer(holes.group(1))));
                end = holes.end();
            }
            if (parts.isEmpty()) {
                throw new InvalidValueException("must hold a JSON pointer, such as /userInfo/id");
            }
            parts.add(new Part(text.substring(end), null));
            return new Template(parts);
        }

        private Optional<String> read(JsonNode said) {
            var text = new StringBuilder();
            for (var part : parts) {
                text.append(part.before());
                var pointer = part.pointer();
                if (pointer == null) {
                    continue;
                }
                var found = said.at(pointer);
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

    /** A piece of fixed text, and the place that what follows it is read from. */
    public record Part(String before, @Nullable JsonPointer pointer) {}

    static JsonPointer pointer(String text) {
        try {
            var pointer = JsonPointer.compile(text);
            if (!UserMapping.SOURCES.contains(String.valueOf(pointer.getMatchingProperty()))) {
                throw new InvalidValueException("must point into /" + String.join(", /", UserMapping.SOURCES));
            }
            return pointer;
        } catch (IllegalArgumentException malformed) {
            throw new InvalidValueException("must be a JSON pointer, such as /userInfo/id");
        }
    }
}
