package dev.vestibule.oauth.server;

import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.http.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a browser brings to the client (RFC 6749, 4.1.2; OAuth 2.0 Form Post Response Mode; RFC 9207). */
public record AuthorizationResponse(String redirectUri, boolean formPost, Map<String, String> parameters) {
    private static final int SEE_OTHER = 303;
    private static final int NONCE_BYTES = 18;

    static AuthorizationResponse code(AuthorizationRequest request, String code, String issuer) {
        return of(request.redirectUri(), request.formPost(), request.state(), issuer, Map.of("code", code));
    }

    static AuthorizationResponse error(
            String redirectUri, boolean formPost, @Nullable String state, String issuer, OauthError error) {
        var parameters = new LinkedHashMap<String, String>();
        parameters.put("error", error.error());
        parameters.put("error_description", error.description());
        return of(redirectUri, formPost, state, issuer, parameters);
    }

    private static AuthorizationResponse of(
            String redirectUri,
            boolean formPost,
            @Nullable String state,
            String issuer,
            Map<String, String> parameters) {
        var all = new LinkedHashMap<>(parameters);
        if (state != null) {
            all.put("state", state);
        }
        all.put("iss", issuer);
        return new AuthorizationResponse(redirectUri, formPost, all);
    }

    /** The redirect URI with the response in its query. */
    public String url() {
        var query = parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "="
                        + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8)
                                .replace("+", "%20"))
                .collect(Collectors.joining("&"));
        return redirectUri + (redirectUri.contains("?") ? "&" : "?") + query;
    }

    /** Sends the browser on: with GET, or with a form that submits itself and has a button where it cannot. */
    public Reply reply() {
        return (formPost
                        ? form()
                        : new Reply(
                                SEE_OTHER,
                                io.vertx.core.buffer.Buffer.buffer(),
                                Map.of("Location", url(), "Cache-Control", "no-store")))
                .withHeader("Referrer-Policy", "no-referrer");
    }

    private Reply form() {
        var nonce = Base64.getEncoder().encodeToString(RandomSecrets.bytes(NONCE_BYTES));
        var fields = parameters.entrySet().stream()
                .map(parameter -> "<input type=\"hidden\" name=\"" + escape(parameter.getKey()) + "\" value=\""
                        + escape(parameter.getValue()) + "\">\n")
                .collect(Collectors.joining());
        var html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                + "<meta name=\"color-scheme\" content=\"light dark\"><title>Continue</title></head>\n<body>\n"
                + "<form method=\"post\" id=\"onward\" action=\"" + escape(redirectUri) + "\">\n" + fields
                + "<button>Continue</button>\n</form>\n<script nonce=\"" + nonce
                + "\">document.getElementById('onward').submit()</script>\n</body></html>\n";
        return Reply.page(
                200,
                html,
                "default-src 'none'; script-src 'nonce-" + nonce + "'; base-uri 'none'; frame-ancestors 'none'");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    @Override
    public String toString() {
        return "AuthorizationResponse[" + redirectUri + "]";
    }
}
