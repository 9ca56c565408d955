package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.unboundid.scim2.common.utils.JsonUtils;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldRule;
import dev.vestibule.json.Text;
import org.jspecify.annotations.Nullable;

/** JSON objects whose names are not case sensitive (RFC 7643, 2.1). */
final class ScimJson {
    static final String CORE_USER = "urn:ietf:params:scim:schemas:core:2.0:User";
    static final String CORE_GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
    static final String ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

    private static final int MAX_NAME = 255;

    private ScimJson() {}

    static ObjectNode object() {
        return JsonUtils.getJsonNodeFactory().objectNode();
    }

    static ArrayNode array() {
        return JsonUtils.getJsonNodeFactory().arrayNode();
    }

    static ObjectNode caseless(ObjectNode given) {
        return (ObjectNode) caseless((JsonNode) given);
    }

    /** The parser of bodies limits how deep this goes. Names are short, since the SDK maps each to lower case. */
    static JsonNode caseless(JsonNode given) {
        if (given.isObject()) {
            var copy = object();
            for (var field : given.properties()) {
                if (field.getKey().length() > MAX_NAME) {
                    throw ScimErrors.invalidSyntax("Names can have at most " + MAX_NAME + " characters");
                }
                copy.set(field.getKey(), caseless(field.getValue()));
            }
            return copy;
        }
        if (given.isArray()) {
            var copy = array();
            given.forEach(item -> copy.add(caseless(item)));
            return copy;
        }
        return given;
    }

    /** Null if it is absent, null or empty. */
    static @Nullable String text(ObjectNode object, String name, FieldRule<String> rule) {
        var node = object.path(name);
        if (node.isMissingNode()
                || node.isNull()
                || (node.isTextual() && node.textValue().isEmpty())) {
            return null;
        }
        if (!node.isTextual()) {
            throw ScimErrors.invalidValue(name + " must be a string");
        }
        try {
            return rule.read(node.textValue());
        } catch (InvalidValueException invalid) {
            throw ScimErrors.invalidValue(name + " " + invalid.getMessage());
        }
    }

    static String line(String text) {
        return Text.line(text, 255);
    }

    /** Also from the texts that Entra ID sends; null for anything else. */
    static @Nullable Boolean flag(JsonNode node) {
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (!node.isTextual()) {
            return null;
        }
        return node.textValue().equalsIgnoreCase("true")
                ? Boolean.TRUE
                : node.textValue().equalsIgnoreCase("false") ? Boolean.FALSE : null;
    }
}
