package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.unboundid.scim2.common.Path;
import dev.vestibule.json.UnicodeText;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of resources that a client asks for (RFC 7644, 3.9), by their names.
 *
 * @param only those to return in addition to id and schemas; null for all
 * @param without those to leave out
 */
record ScimAttributes(@Nullable List<Path> only, List<Path> without) {
    private static final int MAX_LENGTH = 2000;
    private static final int MAX_NAMES = 50;
    private static final Set<String> ALWAYS = Set.of("id", "schemas");

    static ScimAttributes read(@Nullable String only, @Nullable String without) {
        return new ScimAttributes(
                only == null || only.isBlank() ? null : paths(only), without == null ? List.of() : paths(without));
    }

    private static List<Path> paths(String text) {
        var names = text.length() > MAX_LENGTH ? new String[MAX_NAMES + 1] : text.split(",", -1);
        if (names.length > MAX_NAMES) {
            throw ScimErrors.invalidValue("A request can name at most " + MAX_NAMES + " attributes.");
        }
        return Arrays.stream(names)
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .map(ScimPatch::path)
                .toList();
    }

    /** Whether resources have this attribute, so that nothing is read in vain. */
    boolean has(String name) {
        var asked = only == null || only.stream().anyMatch(path -> first(path).equalsIgnoreCase(name));
        return asked
                && without.stream()
                        .noneMatch(path -> path.size() == 1 && first(path).equalsIgnoreCase(name));
    }

    private static String first(Path path) {
        var urn = path.getSchemaUrn();
        return urn != null ? urn : path.isRoot() ? "" : path.getElement(0).getAttribute();
    }

    /** Leaves in the resource what is asked for. */
    ObjectNode of(ObjectNode resource) {
        if (only != null) {
            for (var name : List.copyOf(names(resource))) {
                if (!ALWAYS.contains(name)) {
                    keep(resource, name);
                }
            }
        }
        for (var path : without) {
            if (!ALWAYS.contains(UnicodeText.lowerAscii(first(path)))) {
                remove(resource, path);
            }
        }
        return resource;
    }

    private static Set<String> names(ObjectNode resource) {
        var names = new HashSet<String>();
        resource.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private void keep(ObjectNode resource, String name) {
        var below = new HashSet<String>();
        for (var path : only == null ? List.<Path>of() : only) {
            if (first(path).equalsIgnoreCase(name)) {
                var inner = inner(path);
                if (inner == null) {
                    return;
                }
                below.add(UnicodeText.lowerAscii(inner));
            }
        }
        if (below.isEmpty()) {
            resource.remove(name);
        } else if (resource.path(name) instanceof ObjectNode object) {
            retain(object, below);
        } else if (resource.path(name) instanceof ArrayNode array) {
            array.forEach(item -> {
                if (item instanceof ObjectNode object) {
                    retain(object, below);
                }
            });
        }
    }

    private static void retain(ObjectNode object, Set<String> lowerCase) {
        names(object).stream()
                .filter(name -> !lowerCase.contains(UnicodeText.lowerAscii(name)))
                .forEach(object::remove);
    }

    private static void remove(ObjectNode resource, Path path) {
        var inner = inner(path);
        var outer = resource.path(first(path));
        if (inner == null) {
            resource.remove(first(path));
        } else if (outer instanceof ObjectNode object) {
            object.remove(inner);
        } else if (outer instanceof ArrayNode array) {
            array.forEach(item -> {
                if (item instanceof ObjectNode object) {
                    object.remove(inner);
                }
            });
        }
    }

    /** The attribute below the first one; null for the whole. */
    private static @Nullable String inner(Path path) {
        var at = path.getSchemaUrn() == null ? 1 : 0;
        return path.size() > at ? path.getElement(at).getAttribute() : null;
    }
}
