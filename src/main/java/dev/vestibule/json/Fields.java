package dev.vestibule.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a JSON object into a record and reports all failing fields at once. Unknown fields are ignored. */
public final class Fields {
    private final ObjectNode object;
    private final String prefix;
    private final List<Violation> violations;

    private Fields(ObjectNode object, String prefix, List<Violation> violations) {
        this.object = object;
        this.prefix = prefix;
        this.violations = violations;
    }

    /**
     * Builds the record, or throws a 422. After a violation the reader goes on with null as the value, so that it finds
     * the other violations too; what it builds then is dropped.
     */
    public static <T> T read(ObjectNode object, Function<Fields, T> reader) {
        var fields = new Fields(object, "", new ArrayList<>());
        var value = reader.apply(fields);
        if (!fields.violations.isEmpty()) {
            throw ApiException.invalid(fields.violations);
        }
        return value;
    }

    public <T> T required(String name, FieldRule<T> rule) {
        return required(name, FieldType.text(rule));
    }

    @SuppressWarnings("NullAway") // null is returned only after a violation, and then read() throws
    public <T> T required(String name, FieldType<T> rule) {
        var node = object.get(name);
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
        var node = object.get(name);
        return node == null || node.isNull() ? null : apply(name, node, rule);
    }

    /** For a partial update: an absent field is kept, null clears it, and a value sets it. */
    public <T> Change<T> change(String name, FieldRule<T> rule) {
        return change(name, FieldType.text(rule));
    }

    /** For a partial update: an absent field is kept, null clears it, and a value sets it. */
    public <T> Change<T> change(String name, FieldType<T> rule) {
        var node = object.get(name);
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
        return object.has(name) ? Change.to(required(name, rule)) : Change.keep();
    }

    /** The fields of a nested object, empty if it is absent; violations in it are named {@code outer.inner}. */
    public Fields object(String name) {
        var node = object.get(name);
        if (node != null && !node.isObject()) {
            violations.add(new Violation(prefix + name, "must be an object"));
        }
        var inner = node instanceof ObjectNode nested ? nested : JsonNodeFactory.instance.objectNode();
        return new Fields(inner, prefix + name + ".", violations);
    }

    /** A list of objects, empty if it is absent; violations in it are named {@code list.0.field}. */
    public <T> List<T> objects(String name, int maxItems, Function<Fields, T> reader) {
        var node = object.get(name);
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
            items.add(reader.apply(new Fields(fields, itemName + ".", violations)));
        }
        return List.copyOf(items);
    }

    /** Whether the field is present, even as null. */
    public boolean has(String name) {
        return object.has(name);
    }

    /** Adds a violation, for a rule over several fields. */
    public void reject(String name, String message) {
        violations.add(new Violation(prefix + name, message));
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
