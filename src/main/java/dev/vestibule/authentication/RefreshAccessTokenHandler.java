package dev.vestibule.authentication;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.http.AbandonedRequest;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/refresh} (Variant B): a new access token; refresh token and session expiry stay. */
public final class RefreshAccessTokenHandler implements ApiHandler {
    private record Response(String accessToken, long expiresIn) {}

    private final TokenRefresh refresh;
    private final Auditor audit;

    public RefreshAccessTokenHandler(TokenRefresh refresh, Auditor audit) {
        this.refresh = refresh;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var refreshToken = Fields.read(Body.of(ctx), fields -> fields.required("refreshToken", FieldType.token()));
        return refresh.renewAccessToken(
                        Caller.project(ctx), refreshToken, () -> AbandonedRequest.is(ctx), () -> audit.of(ctx))
                .map(tokens -> Reply.ok(new Response(tokens.accessToken(), tokens.expiresIn())));
    }
}
