package dev.vestibule.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.NearestName;
import dev.vestibule.error.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The field names that a reader has asked an object for. All other fields of the object are unknown. */
final class KnownFields {
    /** Enough for a person to see what is wrong; a body can hold thousands. */
    private static final int MAX_UNKNOWN = 30;

    private final ObjectNode object;
    private final String prefix;
    private final Set<String> names = new LinkedHashSet<>();
    private final List<KnownFields> nested = new ArrayList<>();

    KnownFields(ObjectNode object, String prefix) {
        this.object = object;
        this.prefix = prefix;
    }

    void add(String name) {
        names.add(name);
    }

    /** The fields of an object within this one. */
    KnownFields nest(ObjectNode inner, String innerPrefix) {
        var asked = new KnownFields(inner, innerPrefix);
        nested.add(asked);
        return asked;
    }

    /** The unknown fields of the object itself. */
    List<String> unknownNames() {
        return object.properties().stream()
                .map(Map.Entry::getKey)
                .filter(name -> !names.contains(name))
                .toList();
    }

    /** A violation for each unknown field, including those of nested objects, up to a limit. */
    List<Violation> unknown() {
        return isComplete() ? List.of() : violations().limit(MAX_UNKNOWN).toList();
    }

    /** Whether each field was asked for, as it nearly always is. */
    private boolean isComplete() {
        for (var given = object.fieldNames(); given.hasNext(); ) {
            if (!names.contains(given.next())) {
                return false;
            }
        }
        return nested.isEmpty();
    }

    private Stream<Violation> violations() {
        return Stream.concat(
                object.properties().stream()
                        .map(Map.Entry::getKey)
                        .filter(name -> !names.contains(name))
                        .map(this::violation),
                nested.stream().flatMap(KnownFields::violations));
    }

    private Violation violation(String unknown) {
        return new Violation(
                prefix + NearestName.printable(unknown),
                NearestName.of(unknown, names)
                        .map(nearest -> "is not known; did you mean " + prefix + nearest + "?")
                        .orElse("is not known"));
    }
}
