package dev.vestibule.authentication.dashboard;

import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cookie that holds the refresh token of a dashboard user in a browser, so that no script can read it. A request
 * has to ask for it with a header that pages of other origins cannot send: the preflight does not allow it, and a form
 * has no headers.
 */
public final class RefreshCookie {
    /** {@code x-refresh-token: cookie} asks for it. */
    static final String HEADER = "x-refresh-token";

    private static final String ASKED = "cookie";
    private static final String NAME = "vestibule_refresh";
    private static final String FOLDER = "/v1/dashboard/auth";

    private final boolean isSecure;
    private final String name;
    private final String path;

    public RefreshCookie(URI publicUrl) {
        var prefix = publicUrl.getRawPath();
        this.isSecure = "https".equals(publicUrl.getScheme());
        this.name = isSecure ? "__Secure-" + NAME : NAME;
        this.path = withoutSlashAtEnd(prefix == null ? "" : prefix) + FOLDER;
    }

    private static String withoutSlashAtEnd(String path) {
        var end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    boolean isRequested(HttpServerRequest request) {
        return ASKED.equals(request.getHeader(HEADER));
    }

    Optional<String> read(HttpServerRequest request) {
        @Nullable Cookie cookie = request.getCookie(name);
        return Optional.ofNullable(cookie).map(Cookie::getValue).filter(value -> !value.isEmpty());
    }

    /**
     * Moves the refresh token from a sign in's reply into the cookie, if the request asks for it; the cookie lives no
     * longer than the token.
     */
    Future<Reply> storeIfRequested(HttpServerRequest request, Duration lifetime, Future<Reply> open) {
        return isRequested(request) ? open.map(reply -> kept(reply, lifetime)) : open;
    }

    /** Without a token, for example before a second factor, there is nothing to store. */
    private Reply kept(Reply open, Duration lifetime) {
        var body = new JsonObject(open.body());
        return body.remove("refreshToken") instanceof String token
                ? new Reply(open.status(), Buffer.buffer(body.encode()), open.headers())
                        .withHeader(HttpHeaders.SET_COOKIE.toString(), encode(token, lifetime.toSeconds()))
                : open;
    }

    /** The value of {@code Set-Cookie} that removes the cookie. */
    String cleared() {
        return encode("", 0);
    }

    private String encode(String value, long seconds) {
        return Cookie.cookie(name, value)
                .setPath(path)
                .setMaxAge(seconds)
                .setHttpOnly(true)
                .setSecure(isSecure)
                .setSameSite(CookieSameSite.STRICT)
                .encode();
    }
}
