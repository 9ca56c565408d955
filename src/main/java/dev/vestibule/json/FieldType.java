package dev.vestibule.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.error.InvalidValueException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The type of a JSON field with its rule: reads the value, or throws an {@link InvalidValueException}. Every text has a
 * length limit, which is checked before the rule sees the text: a rule may be slow, and may even take quadratic time by
 * mistake.
 */
public final class FieldType<T> {
    /** The longest text of a field that does not declare its own limit: as long as a URL may be. */
    public static final int MAX_TEXT = 2048;

    private final Function<JsonNode, T> reader;

    private FieldType(Function<JsonNode, T> reader) {
        this.reader = reader;
    }

    /**
     * The value of a field.
     *
     * @throws InvalidValueException if it is none of this type; the message says why
     */
    public T read(JsonNode node) {
        return reader.apply(node);
    }

    /** Applies a further rule to the value. */
    public <R> FieldType<R> then(Function<T, R> rule) {
        return new FieldType<>(node -> rule.apply(read(node)));
    }

    public static <T> FieldType<T> text(FieldRule<T> rule) {
        return new FieldType<>(node -> rule.read(bounded(text(node))));
    }

    /** A text with its own limit, counted by {@code String.length}. */
    public static <T> FieldType<T> text(int maxCharacters, FieldRule<T> rule) {
        return text(maxCharacters, "must have at most " + maxCharacters + " characters", rule);
    }

    /** A text with its own limit, and the message for one that is longer. */
    public static <T> FieldType<T> text(int maxCharacters, String tooLong, FieldRule<T> rule) {
        return new FieldType<>(node -> {
            var text = text(node);
            if (text.length() > maxCharacters) {
                throw new InvalidValueException(tooLong);
            }
            return rule.read(text);
        });
    }

    /**
     * A secret that is looked up unchanged. One that is longer than any real one becomes empty, and so is unknown like
     * any other.
     */
    public static FieldType<String> token() {
        return new FieldType<>(node -> isTooLong(text(node)) ? "" : text(node));
    }

    private static String text(JsonNode node) {
        if (!node.isTextual()) {
            throw new InvalidValueException("must be a string");
        }
        return node.textValue();
    }

    private static String bounded(String text) {
        if (isTooLong(text)) {
            throw new InvalidValueException("is too long");
        }
        return text;
    }

    static boolean isTooLong(String text) {
        return text.length() > MAX_TEXT;
    }

    public static FieldType<Boolean> bool() {
        return new FieldType<>(node -> {
            if (!node.isBoolean()) {
                throw new InvalidValueException("must be true or false");
            }
            return node.booleanValue();
        });
    }

    /** A whole number; {@code 5.0} is one (as in JSON Schema), {@code "5"} is not. */
    public static FieldType<Integer> integer(int min, int max) {
        return new FieldType<>(node -> {
            if (!node.isNumber()
                    || !node.canConvertToExactIntegral()
                    || !node.canConvertToInt()
                    || node.intValue() < min
                    || node.intValue() > max) {
                throw new InvalidValueException("must be a whole number from " + min + " to " + max);
            }
            return node.intValue();
        });
    }

    public static FieldType<Double> number(int min, int max) {
        return new FieldType<>(node -> {
            if (!node.isNumber() || !(node.doubleValue() >= min && node.doubleValue() <= max)) {
                throw new InvalidValueException("must be a number from " + min + " to " + max);
            }
            return node.doubleValue();
        });
    }

    /** A time since 1970 in one of many common formats, truncated to milliseconds: see {@link Timestamps#parse}. */
    public static FieldType<Instant> moment() {
        return new FieldType<>(node -> {
            if (node.isNumber()) {
                return Timestamps.ofEpoch(node.decimalValue());
            }
            if (node.isTextual()) {
                return Timestamps.parse(bounded(node.textValue()));
            }
            throw Timestamps.invalid();
        });
    }

    /** A list of strings that each satisfy the rule, without duplicates. */
    public static FieldType<List<String>> strings(int maxItems, FieldRule<String> rule) {
        return strings(0, maxItems, rule);
    }

    /** A list of at least {@code minItems} strings that each satisfy the rule, without duplicates. */
    public static FieldType<List<String>> strings(int minItems, int maxItems, FieldRule<String> rule) {
        var size = minItems == 0 ? "at most " + maxItems : minItems + " to " + maxItems;
        return new FieldType<>(node -> {
            if (!node.isArray() || node.size() < minItems || node.size() > maxItems) {
                throw new InvalidValueException("must be a list of " + size + " strings");
            }
            var texts = new ArrayList<String>(node.size());
            for (var item : node) {
                texts.add(string(item, texts.size(), rule));
            }
            return texts.stream().distinct().toList();
        });
    }

    private static String string(JsonNode item, int index, FieldRule<String> rule) {
        if (!item.isTextual()) {
            throw new InvalidValueException("must be a list of strings, but item " + index + " is not a string");
        }
        try {
            return rule.read(bounded(item.textValue()));
        } catch (InvalidValueException invalid) {
            throw new InvalidValueException("item " + index + " " + invalid.getMessage());
        }
    }

    /**
     * A free-form object that PostgreSQL's jsonb can hold, of at most {@code maxCharacters} characters as compact JSON.
     * jsonb writes numbers with all their digits, so {@code 1e300} counts as 301 characters.
     */
    public static FieldType<Map<String, Object>> object(int maxCharacters) {
        return new FieldType<>(node -> {
            if (!node.isObject()) {
                throw new InvalidValueException("must be an object");
            }
            checkStorable(node, Pointer.ROOT);
            if (Json.plainText(node).length() > maxCharacters) {
                throw new InvalidValueException("must have at most " + maxCharacters + " characters as JSON");
            }
            return Json.toMap(node);
        });
    }

    /** Any value that PostgreSQL's jsonb can hold, of at most {@code maxCharacters} characters as compact JSON. */
    public static FieldType<Object> any(int maxCharacters) {
        return new FieldType<>(node -> {
            checkStorable(node, Pointer.ROOT);
            if (Json.plainText(node).length() > maxCharacters) {
                throw new InvalidValueException("must have at most " + maxCharacters + " characters as JSON");
            }
            return Json.toValue(node);
        });
    }

    /**
     * Rejects NUL and lone surrogates in names and strings, and numbers that a double cannot hold (RFC 7493, 2.1, 2.2);
     * and what is deeper than a body can be, since a value may have been put together of several.
     */
    private static void checkStorable(JsonNode node, Pointer pointer) {
        if (node.isContainerNode() && pointer.level() > Json.MAX_DEPTH) {
            throw new InvalidValueException("must have at most " + Json.MAX_DEPTH + " levels");
        }
        if (node.isTextual()) {
            checkStorable(node.textValue(), pointer);
        } else if (node.isNumber() && isBeyondDouble(node)) {
            throw new InvalidValueException("must not contain a number beyond the range of a double" + at(pointer));
        } else if (node.isNumber() && node.decimalValue().toPlainString().length() > Json.MAX_PLAIN_NUMBER) {
            throw new InvalidValueException(
                    "must not contain a number of more than " + Json.MAX_PLAIN_NUMBER + " digits" + at(pointer));
        } else if (node.isObject()) {
            for (var field : node.properties()) {
                checkStorable(field.getKey(), pointer);
                checkStorable(field.getValue(), pointer.to(field.getKey()));
            }
        } else {
            for (var i = 0; i < node.size(); i++) {
                checkStorable(node.get(i), pointer.to(i));
            }
        }
    }

    /** A JSON Pointer (RFC 6901) for people: not escaped, and shortened if it is long. */
    private static String at(Pointer pointer) {
        return pointer.outer() == null ? "" : " (at " + Text.shortened(pointer.text()) + ")";
    }

    /**
     * The path to a value. Its text is built only for a message, since one long name may contain thousands of values.
     */
    private record Pointer(@Nullable Pointer outer, Object step, int level) {
        static final Pointer ROOT = new Pointer(null, "", 1);

        Pointer to(Object next) {
            return new Pointer(this, next, level + 1);
        }

        String text() {
            return outer == null ? "" : outer.text() + '/' + step;
        }
    }

    /** Too large for a double, or so close to zero that it would become zero. */
    private static boolean isBeyondDouble(JsonNode number) {
        return Double.isInfinite(number.doubleValue())
                || (number.doubleValue() == 0 && number.decimalValue().signum() != 0);
    }

    private static void checkStorable(String text, Pointer pointer) {
        if (text.indexOf('\u0000') >= 0) {
            throw new InvalidValueException("must not contain the character NUL" + at(pointer));
        }
        Text.wellFormed(text);
    }
}
