package dev.vestibule.oauth;

import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;

/**
 * {@code POST /v1/auth/oauth/redirect}: the redirect for providers that respond with a form (OAuth 2.0 Form Post Response
 * Mode), as Apple does.
 */
public final class PostOauthRedirectHandler implements ApiHandler {
    private static final int MAX_PARAMETERS = 50;

    private final OauthRedirectHandler redirect;

    PostOauthRedirectHandler(OauthRedirectHandler redirect) {
        this.redirect = redirect;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return redirect.receive(ctx, form(ctx));
    }

    static MultiMap form(RoutingContext ctx) {
        var parameters = MultiMap.caseInsensitiveMultiMap();
        try {
            new QueryStringDecoder(Body.received(ctx).toString(), StandardCharsets.UTF_8, false, MAX_PARAMETERS)
                    .parameters()
                    .forEach(parameters::add);
        } catch (IllegalArgumentException invalidEscape) {
            throw ApiException.badRequest("The form has an invalid percent escape.");
        }
        return parameters;
    }
}
