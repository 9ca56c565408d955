package dev.vestibule.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/**
 * Begins the record of every request and sets the headers of its response before any router sees it: the request id,
 * and the security headers of a JSON API (OWASP REST Security Cheat Sheet).
 */
public final class ResponseHeaders implements Handler<HttpServerRequest> {
    private static final CharSequence REQUEST_ID = HttpHeaders.createOptimized(RequestRecord.ID_HEADER);
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence FRAME_OPTIONS = HttpHeaders.createOptimized("X-Frame-Options");
    private static final CharSequence DENY = HttpHeaders.createOptimized("DENY");
    private static final CharSequence SECURITY_POLICY = HttpHeaders.createOptimized("Content-Security-Policy");
    private static final CharSequence NOTHING =
            HttpHeaders.createOptimized("default-src 'none'; frame-ancestors 'none'");
    private static final CharSequence REFERRER_POLICY = HttpHeaders.createOptimized("Referrer-Policy");
    private static final CharSequence NO_REFERRER = HttpHeaders.createOptimized("no-referrer");

    private final Handler<HttpServerRequest> next;

    public ResponseHeaders(Handler<HttpServerRequest> next) {
        this.next = next;
    }

    @Override
    public void handle(HttpServerRequest request) {
        request.response()
                .putHeader(REQUEST_ID, RequestRecord.begin(request).id())
                .putHeader(CONTENT_TYPE_OPTIONS, NOSNIFF)
                .putHeader(FRAME_OPTIONS, DENY)
                .putHeader(SECURITY_POLICY, NOTHING)
                .putHeader(REFERRER_POLICY, NO_REFERRER);
        next.handle(request);
    }
}
