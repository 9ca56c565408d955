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

/** {@code POST /v1/auth/token/refresh} (Variant A): replaces the refresh token and extends the session. */
public final class RefreshTokenHandler implements ApiHandler {
    private final TokenRefresh refresh;
    private final Auditor audit;

    public RefreshTokenHandler(TokenRefresh refresh, Auditor audit) {
        this.refresh = refresh;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var refreshToken = Fields.read(Body.of(ctx), fields -> fields.required("refreshToken", FieldType.token()));
        return refresh.rotate(Caller.project(ctx), refreshToken, () -> AbandonedRequest.is(ctx), () -> audit.of(ctx))
                .map(Reply::ok);
    }
}
