package dev.vestibule.verifier;

import dev.vestibule.verifier.InvalidTokenException.Unavailable;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.User;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.AuthenticationHandler;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.ext.web.handler.SimpleAuthenticationHandler;

/**
 * Lets requests with a valid access token through, as {@code ctx.user()}, whose principal has the claims. Others get
 * 401, or 503 while nobody can know. For Vert.x 5 with vertx-web.
 */
public final class VertxTokenHandler {
    private static final String SCHEME = "Bearer ";

    private VertxTokenHandler() {}

    public static AuthenticationHandler create(TokenVerifier verifier) {
        return SimpleAuthenticationHandler.create().authenticate(ctx -> authenticate(ctx, verifier));
    }

    private static Future<User> authenticate(RoutingContext ctx, TokenVerifier verifier) {
        var header = ctx.request().getHeader("Authorization");
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            ctx.response().putHeader("WWW-Authenticate", "Bearer");
            return Future.failedFuture(new HttpException(401));
        }
        return verify(ctx, verifier, header.substring(SCHEME.length()).strip()).recover(failure -> {
            if (failure instanceof Unavailable) {
                ctx.response().putHeader("Retry-After", "1");
                return Future.failedFuture(new HttpException(503, failure));
            }
            ctx.response().putHeader("WWW-Authenticate", "Bearer error=\"invalid_token\"");
            return Future.failedFuture(new HttpException(401, failure));
        });
    }

    /** A signature check takes too long for an event loop, and happens once for each token. */
    private static Future<User> verify(RoutingContext ctx, TokenVerifier verifier, String token) {
        return verifier.isQuick(token)
                ? Future.future(user -> {
                    try {
                        user.complete(user(verifier, token));
                    } catch (InvalidTokenException invalid) {
                        user.fail(invalid);
                    }
                })
                : ctx.vertx().executeBlocking(() -> user(verifier, token), false);
    }

    private static User user(TokenVerifier verifier, String token) throws InvalidTokenException {
        return User.create(new JsonObject(verifier.verify(token).toString()));
    }
}
