package dev.vestibule.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.json.Fields;
import io.vertx.ext.web.RoutingContext;
import java.util.Collection;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names the fields of a body that the server ignores in the header {@code Vestibule-Unknown-Fields}: a developer who
 * misspells one learns of it, and no client of another version is refused. The header has at most 20 names of at most
 * 64 letters, digits, dots, underscores and hyphens; any other name is a question mark, so that nothing can be
 * injected.
 */
public final class UnknownFields {
    public static final String HEADER = "Vestibule-Unknown-Fields";

    private static final int MAX_NAMES = 20;
    private static final Pattern PRINTABLE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** What is read before the operation's own fields: by guards, and where a captcha is asked for. */
    private static final Set<String> READ_BEFORE = Set.of("projectId", "captchaToken", "turnstileToken");

    private UnknownFields() {}

    /** Reads the fields; the header is set even if they are refused, since a misspelt name may be the reason. */
    public static <T> T reading(RoutingContext ctx, ObjectNode body, Function<Fields, T> reader) {
        return Fields.read(body, reader, unknown -> name(ctx, unknown));
    }

    private static void name(RoutingContext ctx, Collection<String> unknown) {
        var names = unknown.stream()
                .filter(name -> !READ_BEFORE.contains(name))
                .limit(MAX_NAMES)
                .map(name -> PRINTABLE.matcher(name).matches() ? name : "?")
                .collect(Collectors.joining(", "));
        if (!names.isEmpty()) {
            ctx.response().putHeader(HEADER, names);
        }
    }
}
