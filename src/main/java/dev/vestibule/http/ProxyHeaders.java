package dev.vestibule.http;

import io.vertx.core.http.HttpServerRequest;
import java.util.regex.Pattern;

/** The header fields that proxies add when they forward requests. */
final class ProxyHeaders {
    private static final Pattern NAME = Pattern.compile(
            "(?i)(?:x-)?forwarded(?:-.*)?|via|x-real-ip|x-client-ip|x-cluster-client-ip|x-envoy-.*|true-client-ip"
                    + "|cf-connecting-ip|fastly-client-ip");

    private ProxyHeaders() {}

    /** Whether the request has one. */
    static boolean in(HttpServerRequest request) {
        return request.headers().names().stream()
                .anyMatch(name -> NAME.matcher(name).matches());
    }
}
