package dev.vestibule.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldRule;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Page;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.function.Function;

/** A request's query parameters, read by the same rules as a body's fields. */
public final class Query {
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private Query() {}

    /** Every parameter as a string; if one is repeated, its first value. */
    public static ObjectNode of(RoutingContext ctx) {
        var fields = JsonNodeFactory.instance.objectNode();
        ctx.queryParams().forEach((name, value) -> {
            if (!fields.has(name)) {
                fields.put(name, value);
            }
        });
        return fields;
    }

    /**
     * Reads the parameters of a management operation. A parameter that the reader does not ask for is a 422, because a
     * misspelt filter would show everything. The guard reads {@code projectId}.
     */
    public static <T> T read(RoutingContext ctx, Function<Fields, T> reader) {
        return Fields.readStrictly(of(ctx), fields -> {
            fields.ignore("projectId");
            return reader.apply(fields);
        });
    }

    /** The requested page of a list: {@code limit} (1 to 100, default 20) and {@code offset} (default 0). */
    public static Page page(Fields fields) {
        var limit = limit(fields);
        var offset = fields.optional("offset", integer(0, Integer.MAX_VALUE));
        return new Page(limit, Objects.requireNonNullElse(offset, 0));
    }

    /** The maximum number of rows of a page. */
    public static int limit(Fields fields) {
        return Objects.requireNonNullElse(fields.optional("limit", integer(1, MAX_LIMIT)), DEFAULT_LIMIT);
    }

    /** The rule of a parameter that is a number. */
    public static FieldRule<Integer> integer(int min, int max) {
        return text -> integer(text, min, max);
    }

    /** The rule of a parameter that is {@code true} or {@code false}. */
    public static FieldRule<Boolean> flag() {
        return text -> {
            if (text.equals("true") || text.equals("false")) {
                return text.equals("true");
            }
            throw new InvalidValueException("must be true or false");
        };
    }

    private static int integer(String text, int min, int max) {
        try {
            var number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // rejected below
        }
        throw new InvalidValueException("must be a whole number from " + min + " to " + max);
    }
}
