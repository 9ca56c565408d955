package dev.vestibule.oauth.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import dev.vestibule.json.Fields.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An object of the catalogue's file: unlike a request's body, what it holds beyond what is asked for is a mistake. */
final class CatalogueNode {
    private final ObjectNode object;
    private final String prefix;
    private final List<Violation> violations;
    private final Set<String> asked = new HashSet<>();

    CatalogueNode(ObjectNode object, String prefix, List<Violation> violations) {
        this.object = object;
        this.prefix = prefix;
        this.violations = violations;
    }

    <T> @Nullable T text(String name, Rule<T> rule) {
        var node = find(name);
        return node == null ? null : read(name, node, rule);
    }

    /** A text, or a list of them; null where the field is absent. */
    <T> @Nullable List<T> texts(String name, Rule<T> rule) {
        var node = find(name);
        if (node == null) {
            return null;
        }
        var values = new ArrayList<T>();
        for (var item :
                node.isArray() ? node : JsonNodeFactory.instance.arrayNode().add(node)) {
            var value = read(name, item, rule);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    @Nullable
    Boolean flag(String name) {
        var node = find(name);
        if (node != null && !node.isBoolean()) {
            refuse(name, "must be true or false");
        }
        return node == null ? null : node.asBoolean();
    }

    /** What a flag is, or else the pointers that lead to flags. */
    boolean isFlag(String name) {
        return object.path(name).isBoolean();
    }

    Map<String, String> map(String name) {
        var values = new LinkedHashMap<String, String>();
        var node = find(name);
        if (node != null && !node.isObject()) {
            refuse(name, "must be a mapping of names to texts");
        } else if (node != null) {
            node.properties().forEach(field -> {
                var value = read(name + "." + field.getKey(), field.getValue(), text -> text);
                if (value != null) {
                    values.put(field.getKey(), value);
                }
            });
        }
        return values;
    }

    /** The object in a field, an empty one where there is none. */
    CatalogueNode within(String name) {
        var node = find(name);
        if (node != null && !node.isObject()) {
            refuse(name, "must be a mapping of names to values");
        }
        return inner(node, name);
    }

    List<CatalogueNode> objects(String name) {
        var nodes = new ArrayList<CatalogueNode>();
        var list = find(name);
        if (list != null) {
            for (var item : list) {
                nodes.add(inner(item, name + "." + nodes.size()));
            }
        }
        return nodes;
    }

    private CatalogueNode inner(@Nullable JsonNode node, String name) {
        return new CatalogueNode(
                node instanceof ObjectNode given ? given : JsonNodeFactory.instance.objectNode(),
                prefix + name + ".",
                violations);
    }

    /** To be called when everything was asked for. */
    void refuseOthers() {
        object.properties().stream()
                .filter(field -> !asked.contains(field.getKey()))
                .forEach(field -> refuse(field.getKey(), "is not a field that there is"));
    }

    void refuse(String name, String why) {
        violations.add(new Violation(prefix + name, why));
    }

    private @Nullable JsonNode find(String name) {
        asked.add(name);
        var node = object.get(name);
        return node == null || node.isNull() ? null : node;
    }

    private <T> @Nullable T read(String name, JsonNode node, Rule<T> rule) {
        if (!node.isTextual()) {
            refuse(name, "must be a text");
            return null;
        }
        try {
            return rule.read(node.textValue());
        } catch (InvalidValueException invalid) {
            refuse(name, String.valueOf(invalid.getMessage()));
            return null;
        }
    }
}
