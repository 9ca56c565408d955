package dev.vestibule.user.organization.scim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.ApiException;
import dev.vestibule.json.Json;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A filter has few conditions and survives its double negation; a PATCH of any path leaves a user or is refused. */
public final class ScimTarget {
    private static final String USER = """
            {"userName": "ada", "active": true, "name": {"givenName": "Ada"}, "displayName": "Ada",
             "emails": [{"value": "ada@example.com", "type": "work", "primary": true}, {"value": "a@home.example"}],
             "addresses": [{"type": "work", "locality": "London"}], "roles": ["one", 2, null],
             "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {"manager": {"value": "1"}}}
            """;

    private static final List<String> VALUES = List.of(
            "null",
            "\"x\"",
            "true",
            "{}",
            "[]",
            "{\"value\": \"b@example.com\", \"type\": \"work\"}",
            "[{\"value\": 1}, 2]");

    private ScimTarget() {}

    private static <T> @Nullable T accepted(Supplier<T> parser) {
        try {
            return parser.get();
        } catch (ApiException refused) {
            assertThat(refused.status().code()).isIn(400, 422); // which is 400 in a response of SCIM
            return null;
        }
    }

    public static void filter(String text) {
        for (var attributes : List.of(ScimFilter.OF_USERS, ScimFilter.OF_GROUPS)) {
            var filter = accepted(() -> ScimFilter.parse(text, attributes));
            if (filter != null) {
                assertThat(filter.alternatives()).isNotEmpty();
                assertThat(filter.alternatives().stream().mapToInt(List::size).sum())
                        .isLessThanOrEqualTo(60);
                var again = accepted(() -> ScimFilter.parse("not (not (" + text + "))", attributes));
                assertThat(again).isIn(null, filter);
            }
        }
    }

    public static void path(String text) {
        for (var kind : List.of("add", "replace", "remove")) {
            for (var value : VALUES) {
                var operation = Map.of(
                        "op",
                        kind,
                        "path",
                        text,
                        "value",
                        object("{\"value\": " + value + "}").path("value"));
                accepted(() -> patched(Map.of("Operations", List.of(operation))));
            }
        }
    }

    private static ScimUser patched(Map<String, Object> body) {
        var resource = ScimJson.caseless(object(USER));
        ScimPatch.apply(ScimPatch.read(object(Json.encode(body).toString()), 100), resource);
        return ScimUser.read(resource);
    }

    private static ObjectNode object(String text) {
        return (ObjectNode) Json.parse(Buffer.buffer(text));
    }
}
