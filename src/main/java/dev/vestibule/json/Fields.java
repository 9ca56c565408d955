package dev.vestibule.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON object into a record and reports all failing fields at once. Fields that the reader does not ask for are
 * ignored by {@link #read}, and reported by {@link #readStrictly}.
 */
public final class Fields {
    private final ObjectNode object;
    private final String prefix;
    private final List<Violation> violations;
    /** Null if nobody wants to know of unknown fields. */
    private final @Nullable KnownFields asked;

    private Fields(ObjectNode object, String prefix, List<Violation> violations, @Nullable KnownFields asked) {
        this.object = object;
        this.prefix = prefix;
        this.violations = violations;
        this.asked = asked;
    }

    /**
     * Builds the record, or throws a 422. After a violation the reader continues with null as the value, so that it
     * finds the other violations too; whatever it builds then is dropped.
     */
    public static <T> T read(ObjectNode object, Function<Fields, T> reader) {
        return read(new Fields(object, "", new ArrayList<>(), null), reader);
    }

    /**
     * Like {@link #read}, but a field that the reader does not ask for is a violation too. So the reader must always
     * ask for every field that it knows, whatever other fields contain.
     */
    public static <T> T readStrictly(ObjectNode object, Function<Fields, T> reader) {
        return read(new Fields(object, "", new ArrayList<>(), new KnownFields(object, "")), reader);
    }

    /** Like {@link #read}, and names the fields that the reader has not asked for, whether or not it succeeds. */
    public static <T> T read(ObjectNode object, Function<Fields, T> reader, Consumer<List<String>> unknown) {
        var asked = new KnownFields(object, "");
        var fields = new Fields(object, "", new ArrayList<>(), asked);
        var value = reader.apply(fields);
        unknown.accept(asked.unknownNames());
        return fields.orViolations(value);
    }

    private static <T> T read(Fields fields, Function<Fields, T> reader) {
        var value = reader.apply(fields);
        if (fields.asked != null) {
            // First, because a misspelt name is often why another field is missing.
            fields.violations.addAll(0, fields.asked.unknown());
        }
        return fields.orViolations(value);
    }

    private <T> T orViolations(T value) {
        if (!violations.isEmpty()) {
            throw ApiException.invalid(violations);
        }
        return value;
    }

    public <T> T required(String name, FieldRule<T> rule) {
        return required(name, FieldType.text(rule));
    }

    @SuppressWarnings("NullAway") // null is returned only after a violation, and then read() throws
    public <T> T required(String name, FieldType<T> rule) {
        var node = find(name);
        if (node == null || node.isNull()) {
            violations.add(new Violation(prefix + name, "is required"));
            return null;
        }
        return apply(name, node, rule);
    }

    /** The value, or null if the field is absent or null. */
    public <T> @Nullable T optional(String name, FieldRule<T> rule) {
        return optional(name, FieldType.text(rule));
    }

    /** The value, or null if the field is absent or null. */
    public <T> @Nullable T optional(String name, FieldType<T> rule) {
        var node = find(name);
        return node == null || node.isNull() ? null : apply(name, node, rule);
    }

    /** For a partial update: an absent field is kept, null clears it, and a value sets it. */
    public <T> Change<T> change(String name, FieldRule<T> rule) {
        return change(name, FieldType.text(rule));
    }

    /** For a partial update: an absent field is kept, null clears it, and a value sets it. */
    public <T> Change<T> change(String name, FieldType<T> rule) {
        var node = find(name);
        if (node == null) {
            return Change.keep();
        }
        return Change.to(node.isNull() ? null : apply(name, node, rule));
    }

    /** For a partial update of a field that cannot be cleared: like {@link #change}, but null is a violation. */
    public <T> Change<T> replacement(String name, FieldRule<T> rule) {
        return replacement(name, FieldType.text(rule));
    }

    /** For a partial update of a field that cannot be cleared: like {@link #change}, but null is a violation. */
    public <T> Change<T> replacement(String name, FieldType<T> rule) {
        return has(name) ? Change.to(required(name, rule)) : Change.keep();
    }

    /** The fields of a nested object, empty if it is absent; violations in it are named {@code outer.inner}. */
    public Fields object(String name) {
        var node = find(name);
        if (node != null && !node.isObject()) {
            violations.add(new Violation(prefix + name, "must be an object"));
        }
        var inner = node instanceof ObjectNode nested ? nested : JsonNodeFactory.instance.objectNode();
        return nested(inner, prefix + name + ".");
    }

    /** A list of objects, empty if it is absent; violations in it are named {@code list.0.field}. */
    public <T> List<T> objects(String name, int maxItems, Function<Fields, T> reader) {
        var node = find(name);
        if (node == null || node.isNull()) {
            return List.of();
        }
        if (!node.isArray() || node.size() > maxItems) {
            violations.add(new Violation(prefix + name, "must be a list of at most " + maxItems + " objects"));
            return List.of();
        }
        var items = new ArrayList<T>(node.size());
        for (var item : node) {
            var itemName = prefix + name + "." + items.size();
            if (!(item instanceof ObjectNode fields)) {
                violations.add(new Violation(itemName, "must be an object"));
                return List.of();
            }
            items.add(reader.apply(nested(fields, itemName + ".")));
        }
        return List.copyOf(items);
    }

    private Fields nested(ObjectNode inner, String innerPrefix) {
        return new Fields(inner, innerPrefix, violations, asked == null ? null : asked.nest(inner, innerPrefix));
    }

    /** Whether the field is present, even as null. */
    public boolean has(String name) {
        return find(name) != null;
    }

    /** Whether the field is present and not null. */
    public boolean isGiven(String name) {
        var node = find(name);
        return node != null && !node.isNull();
    }

    /** Whether the field is a text that passes the test; a text that is too long for any rule never passes. */
    public boolean holds(String name, Predicate<String> test) {
        var node = find(name);
        return node != null
                && node.isTextual()
                && !FieldType.isTooLong(node.textValue())
                && test.test(node.textValue());
    }

    /** Ignores a field that something else reads, such as a guard. */
    public void ignore(String name) {
        find(name);
    }

    /** Adds a violation, for a rule over several fields. */
    public void reject(String name, String message) {
        violations.add(new Violation(prefix + name, message));
    }

    private @Nullable JsonNode find(String name) {
        if (asked != null) {
            asked.add(name);
        }
        return object.get(name);
    }

    @SuppressWarnings("NullAway") // as in required
    private <T> T apply(String name, JsonNode node, FieldType<T> rule) {
        try {
            return rule.read(node);
        } catch (InvalidValueException invalid) {
            violations.add(new Violation(prefix + name, String.valueOf(invalid.getMessage())));
            return null;
        }
    }
}
