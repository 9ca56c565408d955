package dev.vestibule.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.error.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The rule of a field of any type: gives its value, or fails with an {@link InvalidValueException}. */
public final class FieldType<T> {
    private final Function<JsonNode, T> reader;

    private FieldType(Function<JsonNode, T> reader) {
        this.reader = reader;
    }

    T read(JsonNode node) {
        return reader.apply(node);
    }

    static <T> FieldType<T> text(Fields.Rule<T> rule) {
        return new FieldType<>(node -> {
            if (!node.isTextual()) {
                throw new InvalidValueException("must be a string");
            }
            return rule.read(node.textValue());
        });
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
    public static FieldType<Integer> integer(int least, int most) {
        return new FieldType<>(node -> {
            if (!node.isNumber()
                    || !node.canConvertToExactIntegral()
                    || !node.canConvertToInt()
                    || node.intValue() < least
                    || node.intValue() > most) {
                throw new InvalidValueException("must be a whole number from " + least + " to " + most);
            }
            return node.intValue();
        });
    }

    public static FieldType<Double> number(int least, int most) {
        return new FieldType<>(node -> {
            if (!node.isNumber() || !(node.doubleValue() >= least && node.doubleValue() <= most)) {
                throw new InvalidValueException("must be a number from " + least + " to " + most);
            }
            return node.doubleValue();
        });
    }

    /** A list of texts that each keep the rule; a text that comes twice counts once. */
    public static FieldType<List<String>> strings(int mostItems, Fields.Rule<String> rule) {
        return strings(0, mostItems, rule);
    }

    /** The same, but not without so many items. */
    public static FieldType<List<String>> strings(int leastItems, int mostItems, Fields.Rule<String> rule) {
        var size = leastItems == 0 ? "at most " + mostItems : leastItems + " to " + mostItems;
        return new FieldType<>(node -> {
            if (!node.isArray() || node.size() < leastItems || node.size() > mostItems) {
                throw new InvalidValueException("must be a list of " + size + " strings");
            }
            var texts = new ArrayList<String>(node.size());
            for (var item : node) {
                texts.add(text(item, texts.size(), rule));
            }
            return texts.stream().distinct().toList();
        });
    }

    private static String text(JsonNode item, int index, Fields.Rule<String> rule) {
        if (!item.isTextual()) {
            throw new InvalidValueException("must be a list of strings, but item " + index + " is none");
        }
        try {
            return rule.read(item.textValue());
        } catch (InvalidValueException invalid) {
            throw new InvalidValueException("item " + index + " " + invalid.getMessage());
        }
    }

    /**
     * A free-form object that PostgreSQL's jsonb can hold and whose compact JSON has at most so many characters; jsonb
     * gives every digit of a number back, so {@code 1e300} counts as 301.
     */
    public static FieldType<Map<String, Object>> object(int mostCharacters) {
        return new FieldType<>(node -> {
            if (!node.isObject()) {
                throw new InvalidValueException("must be an object");
            }
            refuseUnstorable(node);
            if (Json.plainText(node).length() > mostCharacters) {
                throw new InvalidValueException("must have at most " + mostCharacters + " characters as JSON");
            }
            return Json.toMap(node);
        });
    }

    /** No NUL and no lone surrogate in a name or a text, no number beyond a double (RFC 7493, 2.1 and 2.2). */
    private static void refuseUnstorable(JsonNode node) {
        if (node.isTextual()) {
            storable(node.textValue());
        } else if (node.isNumber() && isBeyondDouble(node)) {
            throw new InvalidValueException("must hold no number beyond the range of a double");
        }
        node.properties().forEach(field -> storable(field.getKey()));
        node.forEach(FieldType::refuseUnstorable);
    }

    /** Too great for one, or so near to zero that it would be none there. */
    private static boolean isBeyondDouble(JsonNode number) {
        return Double.isInfinite(number.doubleValue())
                || (number.doubleValue() == 0 && number.decimalValue().signum() != 0);
    }

    private static void storable(String text) {
        if (text.indexOf('\u0000') >= 0) {
            throw new InvalidValueException("must not contain NUL");
        }
        Text.wellFormed(text);
    }
}
