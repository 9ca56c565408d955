package dev.vestibule.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiError;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a JSON object into a record and refuses with every failing field at once; fields that nobody asked for pass. */
public final class Fields {
    /** The rule of a text field: gives the value in its canonical form, or fails with an {@link InvalidValueException}. */
    @FunctionalInterface
    public interface Rule<T> {
        T read(String text);
    }

    private final ObjectNode object;
    private final String prefix;
    private final List<Violation> violations;

    private Fields(ObjectNode object, String prefix, List<Violation> violations) {
        this.object = object;
        this.prefix = prefix;
        this.violations = violations;
    }

    /** Builds the record from the object, or fails with a 422; the reader may be handed nulls that never get out. */
    public static <T> T read(ObjectNode object, Function<Fields, T> reader) {
        var fields = new Fields(object, "", new ArrayList<>());
        var value = reader.apply(fields);
        if (!fields.violations.isEmpty()) {
            throw ApiError.invalid(fields.violations);
        }
        return value;
    }

    public <T> T required(String name, Rule<T> rule) {
        return required(name, FieldType.text(rule));
    }

    @SuppressWarnings("NullAway") // a null is handed on only beside a violation, and then read() throws
    public <T> T required(String name, FieldType<T> rule) {
        var node = object.get(name);
        if (node == null || node.isNull()) {
            violations.add(new Violation(prefix + name, "is required"));
            return null;
        }
        return apply(name, node, rule);
    }

    /** The value, or null where the field is absent or null. */
    public <T> @Nullable T optional(String name, Rule<T> rule) {
        return optional(name, FieldType.text(rule));
    }

    /** The value, or null where the field is absent or null. */
    public <T> @Nullable T optional(String name, FieldType<T> rule) {
        var node = object.get(name);
        return node == null || node.isNull() ? null : apply(name, node, rule);
    }

    /** For a partial update: absent keeps, null clears, anything else sets. */
    public <T> Change<T> change(String name, Rule<T> rule) {
        return change(name, FieldType.text(rule));
    }

    /** For a partial update: absent keeps, null clears, anything else sets. */
    public <T> Change<T> change(String name, FieldType<T> rule) {
        var node = object.get(name);
        if (node == null) {
            return Change.keep();
        }
        return Change.to(node.isNull() ? null : apply(name, node, rule));
    }

    /** For a partial update of what cannot be cleared: absent keeps, anything else sets, null is a violation. */
    public <T> Change<T> replacement(String name, Rule<T> rule) {
        return replacement(name, FieldType.text(rule));
    }

    /** For a partial update of what cannot be cleared: absent keeps, anything else sets, null is a violation. */
    public <T> Change<T> replacement(String name, FieldType<T> rule) {
        return object.has(name) ? Change.to(required(name, rule)) : Change.keep();
    }

    /** The fields of an object in a field, whose violations are named {@code outer.inner}; none where it is absent. */
    public Fields object(String name) {
        var node = object.get(name);
        if (node != null && !node.isObject()) {
            violations.add(new Violation(prefix + name, "must be an object"));
        }
        var inner = node instanceof ObjectNode given ? given : JsonNodeFactory.instance.objectNode();
        return new Fields(inner, prefix + name + ".", violations);
    }

    /** A list of objects, none where it is absent; the violations in them are named {@code list.0.field}. */
    public <T> List<T> objects(String name, int mostItems, Function<Fields, T> reader) {
        var node = object.get(name);
        if (node == null || node.isNull()) {
            return List.of();
        }
        if (!node.isArray() || node.size() > mostItems) {
            violations.add(new Violation(prefix + name, "must be a list of at most " + mostItems + " objects"));
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

    /** Whether the field is there at all, as null too. */
    public boolean has(String name) {
        return object.has(name);
    }

    /** For a rule that binds several fields together. */
    public void reject(String name, String why) {
        violations.add(new Violation(prefix + name, why));
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
