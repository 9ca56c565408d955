package dev.vestibule.user.organization.scim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.json.Page;
import dev.vestibule.json.Uuids;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the requests for users and for groups have in common. */
final class ScimRequests {
    static final int MAX_RESULTS = 200;

    private static final String LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
    private static final int DEFAULT_RESULTS = 100;

    private ScimRequests() {}

    /** The query of a list. */
    record Listed(ScimFilter filter, ScimAttributes attributes, int startIndex, int count) {
        static Listed read(ObjectNode query, Map<String, String> known) {
            return new Listed(
                    ScimFilter.parse(text(query, "filter"), known),
                    ScimRequests.attributes(query),
                    Math.max(1, number(query, "startIndex", 1)),
                    Math.min(MAX_RESULTS, Math.max(0, number(query, "count", DEFAULT_RESULTS))));
        }

        Page rows() {
            return new Page(count, startIndex - 1);
        }

        /**
         * Whether these rows are all that there are, so that nobody needs to count them.
         *
         * @param unique attributes that only one row can have
         */
        boolean isWhole(int rows, List<String> unique) {
            var isFull =
                    rows == filter.alternatives().size() && filter.keys(unique).isPresent();
            return startIndex == 1 && (rows < count || isFull);
        }

        Object response(long total, List<ObjectNode> resources) {
            var body = ScimJson.object();
            body.set("schemas", ScimJson.array().add(LIST));
            body.put("totalResults", total);
            body.put("startIndex", startIndex);
            body.put("itemsPerPage", resources.size());
            var list = body.putArray("Resources");
            resources.forEach(list::add);
            return body;
        }
    }

    static ScimAttributes attributes(ObjectNode query) {
        return ScimAttributes.read(text(query, "attributes"), text(query, "excludedAttributes"));
    }

    private static @Nullable String text(ObjectNode query, String name) {
        return query.path(name).isTextual() ? query.path(name).textValue() : null;
    }

    private static int number(ObjectNode query, String name, int otherwise) {
        var text = text(query, name);
        if (text == null) {
            return otherwise;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException noNumber) {
            throw ScimErrors.invalidValue(name + " must be a whole number");
        }
    }

    /** An id that no resource can have is not found. */
    static UUID id(String text, boolean ofUser) {
        return Uuids.parse(text).orElseThrow(ofUser ? ScimErrors::noSuchUser : ScimErrors::noSuchGroup);
    }
}
