package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** The credentials in a request's headers, not yet verified: an API key and a Bearer value (RFC 6750). */
public record Credentials(Optional<String> apiKey, Optional<String> bearer) {
    private static final String KEY_HEADER = "x-api-key";
    private static final String SCHEME = "bearer ";

    public static Credentials of(RoutingContext ctx) {
        var headers = ctx.request().headers();
        if (headers.getAll(KEY_HEADER).size() > 1
                || headers.getAll(HttpHeaders.AUTHORIZATION).size() > 1) {
            throw ApiException.of(
                    ErrorCode.BAD_REQUEST, "The x-api-key and Authorization headers may each be sent only once.");
        }
        return new Credentials(
                Optional.ofNullable(headers.get(KEY_HEADER)).map(String::strip).filter(key -> !key.isEmpty()),
                Optional.ofNullable(headers.get(HttpHeaders.AUTHORIZATION)).flatMap(Credentials::bearer));
    }

    private static Optional<String> bearer(String authorization) {
        return authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(authorization.substring(SCHEME.length()).strip()).filter(value -> !value.isEmpty())
                : Optional.empty();
    }

    /** Redacted, so that a credential never reaches a log. */
    @Override
    public String toString() {
        return "Credentials[apiKey=" + apiKey.isPresent() + ", bearer=" + bearer.isPresent() + "]";
    }
}
