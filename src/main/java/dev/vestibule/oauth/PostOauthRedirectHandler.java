package dev.vestibule.oauth;

import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code POST /v1/auth/oauth/redirect}: the redirect for providers that respond with a form (OAuth 2.0 Form Post Response
 * Mode), as Apple does.
 */
public final class PostOauthRedirectHandler implements ApiHandler {
    private final OauthRedirectHandler redirect;

    PostOauthRedirectHandler(OauthRedirectHandler redirect) {
        this.redirect = redirect;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return redirect.receive(ctx, Form.of(ctx));
    }
}
