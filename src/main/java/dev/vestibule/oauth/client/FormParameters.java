package dev.vestibule.oauth.client;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parameters of a request to a provider (RFC 6749, appendix B), each at most once. */
final class FormParameters {
    private final Map<String, String> values = new LinkedHashMap<>();

    /** A null value leaves the parameter out. */
    FormParameters set(String name, @Nullable String value) {
        if (value != null) {
            values.put(name, value);
        }
        return this;
    }

    FormParameters setAll(Map<String, String> others) {
        values.putAll(others);
        return this;
    }

    /** The body of a form. */
    String encoded() {
        return values.entrySet().stream()
                .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
                .collect(Collectors.joining("&"));
    }

    /** Adds the parameters after those that the URL has already. */
    URI appendedTo(URI url) {
        return URI.create(url + (url.getRawQuery() == null ? "?" : "&") + encoded());
    }

    /** Writes a space as %20, which is correct in a query and in a form. */
    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
