package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A body of {@code application/x-www-form-urlencoded}, as browsers send the forms of our pages. A value that is longer
 * than any field allows is cut, so that the field refuses it and no code sees the rest.
 */
public final class Form {
    private static final int MAX_PARAMETERS = 50;
    private static final int MAX_VALUE = 8192; // enough for what a provider posts

    private Form() {}

    /** A 400 if it is not well-formed. */
    public static MultiMap of(RoutingContext ctx) {
        var parameters = MultiMap.caseInsensitiveMultiMap();
        try {
            new QueryStringDecoder(Body.received(ctx).toString(), StandardCharsets.UTF_8, false, MAX_PARAMETERS, true)
                    .parameters()
                    .forEach((name, values) -> add(parameters, name, values));
        } catch (IllegalArgumentException invalidEscape) {
            throw ApiException.of(ErrorCode.BAD_REQUEST, "The form has an invalid percent escape.");
        }
        return parameters;
    }

    /** What was entered in the field; empty if the form does not have it. */
    public static String value(MultiMap form, String field) {
        return Objects.requireNonNullElse(form.get(field), "");
    }

    /** What was entered in those of the fields that the form has, by their names. */
    public static Map<String, String> values(MultiMap form, String... fields) {
        return Arrays.stream(fields)
                .filter(form::contains)
                .collect(Collectors.toMap(field -> field, field -> value(form, field)));
    }

    private static void add(MultiMap parameters, String name, List<String> values) {
        values.forEach(value -> parameters.add(name, value.substring(0, Math.min(value.length(), MAX_VALUE + 1))));
    }
}
