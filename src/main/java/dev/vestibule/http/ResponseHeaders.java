package dev.vestibule.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;

/**
 * Begins the record of every request and sets the headers of its response before any router sees it: the request id, and
 * the security headers of a JSON API (OWASP REST Security Cheat Sheet).
 */
public final class ResponseHeaders implements Handler<HttpServerRequest> {
    private final Handler<HttpServerRequest> next;

    public ResponseHeaders(Handler<HttpServerRequest> next) {
        this.next = next;
    }

    @Override
    public void handle(HttpServerRequest request) {
        request.response()
                .putHeader(RequestRecord.ID_HEADER, RequestRecord.begin(request).id())
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("X-Frame-Options", "DENY")
                .putHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
                .putHeader("Referrer-Policy", "no-referrer");
        next.handle(request);
    }
}
