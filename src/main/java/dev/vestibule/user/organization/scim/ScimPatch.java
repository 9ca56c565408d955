package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.unboundid.scim2.common.Path;
import com.unboundid.scim2.common.exceptions.ScimException;
import com.unboundid.scim2.common.filters.Filter;
import com.unboundid.scim2.common.filters.FilterType;
import com.unboundid.scim2.common.utils.JsonUtils;
import com.unboundid.scim2.common.utils.Parser;
import dev.vestibule.error.ApiException;
import dev.vestibule.json.UnicodeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a PATCH (RFC 7644, 3.5.2), as identity providers really send them: an operation in any case;
 * without a path, with a value whose names are paths; and one that replaces or adds to values that are not there yet.
 */
final class ScimPatch {
    private static final int MAX_PATH = 1000;
    private static final Set<String> LISTS =
            Set.of("emails", "phonenumbers", "ims", "photos", "addresses", "entitlements", "roles", "x509certificates");

    /** What one operation does to what its path finds; the whole resource without a path. */
    record Operation(Kind kind, Path path, JsonNode value) {}

    enum Kind {
        ADD,
        REPLACE,
        REMOVE
    }

    private ScimPatch() {}

    /**
     * The operations in their order, at most {@code maximum}; one without a path becomes one for each name of its
     * value.
     */
    static List<Operation> read(ObjectNode body, int maximum) {
        var given = ScimJson.caseless(body).path("Operations");
        if (!given.isArray() || given.isEmpty()) {
            throw ScimErrors.invalidSyntax("Operations must be a list of at least one operation");
        }
        var operations = new ArrayList<Operation>();
        for (var one : given) {
            add(one, operations);
            if (operations.size() > maximum) {
                throw ScimErrors.invalidValue("Operations can change at most " + maximum + " attributes at once");
            }
        }
        return operations;
    }

    private static void add(JsonNode given, List<Operation> operations) {
        var kind = kind(given.path("op"));
        var path = given.path("path");
        var value = given.path("value");
        if (!path.isMissingNode() && !path.isNull() && !path.isTextual()) {
            throw ScimErrors.invalidPath("path must be a string");
        }
        if (path.isTextual() && !path.textValue().isBlank()) {
            operations.add(operation(kind, path.textValue(), value));
        } else if (kind == Kind.REMOVE) {
            throw ScimErrors.noTarget("remove needs a path");
        } else if (value instanceof ObjectNode attributes) {
            attributes.properties().forEach(field -> operations.add(operation(kind, field.getKey(), field.getValue())));
        } else {
            throw ScimErrors.invalidValue("An operation without a path needs an object as its value");
        }
    }

    private static Kind kind(JsonNode given) {
        if (!given.isTextual() || given.textValue().length() > 10) {
            throw ScimErrors.invalidSyntax("op must be add, replace or remove");
        }
        return switch (UnicodeText.lowerAscii(given.textValue())) {
            case "add" -> Kind.ADD;
            case "replace" -> Kind.REPLACE;
            case "remove" -> Kind.REMOVE;
            default -> throw ScimErrors.invalidSyntax("op must be add, replace or remove");
        };
    }

    private static Operation operation(Kind kind, String path, JsonNode value) {
        return new Operation(kind, path(path), value.isMissingNode() ? NullNode.getInstance() : value);
    }

    /** The path of an attribute; that of an extension as a whole ends with a colon for the parser. */
    static Path path(String text) {
        if (text.length() > MAX_PATH) {
            throw ScimErrors.invalidPath("A path can have at most " + MAX_PATH + " characters.");
        }
        try {
            ScimFilter.requireBalanced(text);
            return Parser.parsePath(
                    withoutCore(text.equalsIgnoreCase(ScimJson.ENTERPRISE) ? ScimJson.ENTERPRISE + ":" : text));
        } catch (ScimException | RuntimeException invalid) {
            throw ScimErrors.invalidPath("A path is not well-formed.");
        }
    }

    private static String withoutCore(String text) {
        for (var core : List.of(ScimJson.CORE_USER, ScimJson.CORE_GROUP)) {
            if (text.regionMatches(true, 0, core + ":", 0, core.length() + 1)) {
                return text.substring(core.length() + 1);
            }
        }
        return text;
    }

    /** Changes the resource. */
    static void apply(List<Operation> operations, ObjectNode resource) {
        for (var one : operations) {
            requireShort(one.value());
            try {
                apply(one, resource);
            } catch (ScimException refused) {
                throw ScimErrors.of(refused);
            } catch (ApiException refused) {
                throw refused;
            } catch (RuntimeException refused) { // the SDK casts what it finds at a path
                throw ScimErrors.invalidValue("An operation does not fit the resource.");
            }
            if (one.value().isContainerNode()) {
                requireShort(resource);
            }
        }
    }

    /** An operation that adds values compares each of them with each that is there, at any depth. */
    private static void requireShort(JsonNode values) {
        if (values.isArray() && values.size() > ScimUser.MAX_VALUES) {
            throw ScimErrors.tooManyValues(ScimUser.MAX_VALUES);
        }
        values.forEach(ScimPatch::requireShort);
    }

    private static void apply(Operation one, ObjectNode resource) throws ScimException {
        var path = one.path();
        if (path.size() > 0 && path.getElement(0).getValueFilter() != null) {
            applyToValues(one, resource);
        } else if (one.kind() == Kind.REMOVE) {
            JsonUtils.removeValues(path, resource);
        } else if (path.isRoot() && !one.value().isObject()) {
            throw ScimErrors.invalidValue("An extension must be an object");
        } else if (one.kind() == Kind.ADD) {
            JsonUtils.addValue(path, resource, listed(path, one.value()));
        } else {
            JsonUtils.replaceValue(path, resource, listed(path, one.value()));
        }
    }

    /** Turns a single value into a list with it. */
    private static JsonNode listed(Path path, JsonNode value) {
        var isList = path.getSchemaUrn() == null
                && path.size() == 1
                && LISTS.contains(UnicodeText.lowerAscii(path.getElement(0).getAttribute()));
        return isList && value.isObject() ? ScimJson.array().add(value) : value;
    }

    /** Applies a path such as {@code emails[type eq "work"].value}: adds a value of this type if there is none. */
    private static void applyToValues(Operation one, ObjectNode resource) {
        var path = one.path();
        var name = path.getElement(0).getAttribute();
        var filter = path.getElement(0).getValueFilter();
        var inner = path.size() == 1 ? null : path.getElement(1).getAttribute();
        if (path.getSchemaUrn() != null || path.size() > 2) {
            throw ScimErrors.invalidPath("A path can find values of the first attribute alone.");
        }
        var values = resource.path(name) instanceof ArrayNode array ? array : ScimJson.array();
        var isRemoved = one.kind() == Kind.REMOVE || one.value().isNull();
        var found = false;
        for (var each = values.iterator(); each.hasNext(); ) {
            var value = each.next();
            if (value instanceof ObjectNode object && matches(filter, object)) {
                found = true;
                if (isRemoved && inner == null) {
                    each.remove();
                } else if (isRemoved) {
                    object.remove(inner);
                } else {
                    set(object, inner, one.value());
                }
            }
        }
        if (!found && !isRemoved) {
            resource.set(name, values.add(newValue(filter, inner, one.value())));
        }
        if (values.isEmpty()) {
            resource.remove(name);
        }
    }

    /** Compares in linear time, unlike the SDK, which also looks for dates in each text. */
    private static boolean matches(Filter filter, ObjectNode value) {
        if (filter.getFilterType() == FilterType.AND) {
            return filter.getCombinedFilters().stream().allMatch(part -> matches(part, value));
        }
        if (filter.getFilterType() != FilterType.EQUAL) {
            throw ScimErrors.invalidPath("A path can find values with eq and and alone.");
        }
        var held = value.path(ScimFilter.name(filter.getAttributePath()));
        var asked = filter.getComparisonValue();
        if (held.isTextual() && asked.isTextual()) {
            return held.textValue().equalsIgnoreCase(asked.textValue());
        }
        var flag = ScimJson.flag(held);
        return flag == null ? held.equals(asked) : flag.equals(ScimJson.flag(asked));
    }

    private static void set(ObjectNode object, @Nullable String inner, JsonNode value) {
        if (inner != null) {
            object.set(inner, value);
        } else if (value instanceof ObjectNode fields) {
            object.setAll(fields);
        } else {
            throw ScimErrors.invalidValue("A value that a path finds must be an object");
        }
    }

    private static ObjectNode newValue(Filter filter, @Nullable String inner, JsonNode value) {
        if (filter.getFilterType() != FilterType.EQUAL) {
            throw ScimErrors.noTarget("The path finds no value.");
        }
        var added = ScimJson.object();
        set(added, inner, value);
        added.set(ScimFilter.name(filter.getAttributePath()), filter.getComparisonValue());
        return added;
    }
}
