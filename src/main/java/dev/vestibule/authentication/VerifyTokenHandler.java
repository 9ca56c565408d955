package dev.vestibule.authentication;

import dev.vestibule.access.Caller;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.AccessToken;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/auth/token/verify}: the claims and the user of a valid access token. */
public final class VerifyTokenHandler implements ApiHandler {
    private record Response(boolean valid, Payload payload, Owner user) {}

    private record Payload(UserId sub, ProjectId projectId, String type, long iat, long exp) {
        static Payload of(AccessToken token) {
            return new Payload(
                    token.user(),
                    token.project(),
                    AccessToken.TYPE,
                    token.issuedAt().getEpochSecond(),
                    token.expiresAt().getEpochSecond());
        }
    }

    private record Owner(
            UserId id,
            @Nullable String email,
            @Nullable String displayName,
            @Nullable String avatarUrl,
            boolean emailVerified) {
        static Owner of(User user) {
            return new Owner(user.id(), user.email(), user.displayName(), user.avatarUrl(), user.emailVerified());
        }
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        return Future.succeededFuture(
                Reply.ok(new Response(true, Payload.of(caller.token()), Owner.of(caller.user()))));
    }
}
