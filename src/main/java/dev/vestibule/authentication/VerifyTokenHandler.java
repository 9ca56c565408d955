package dev.vestibule.authentication;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.AccessToken;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/auth/token/verify}: the claims and the user of a valid access token. The whole user stands at the top
 * level too, since some clients read the answer as a user and others as the result of a check.
 */
public final class VerifyTokenHandler implements ApiHandler {
    private record Response(
            boolean valid,
            Payload payload,
            Owner user,
            @JsonUnwrapped User whole) {
        static Response of(SignedIn caller) {
            return new Response(true, Payload.of(caller.token()), Owner.of(caller.user()), caller.user());
        }
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record Payload(
            UserId sub,
            ProjectId projectId,
            String type,
            long iat,
            long exp,
            @JsonProperty("auth_time") @Nullable Long authTime,
            List<String> amr,
            @Nullable String acr,
            @Nullable Actor act) {
        static Payload of(AccessToken token) {
            return new Payload(
                    token.user(),
                    token.project(),
                    AccessToken.TYPE,
                    token.issuedAt().getEpochSecond(),
                    token.expiresAt().getEpochSecond(),
                    token.authenticatedAt() == null
                            ? null
                            : token.authenticatedAt().getEpochSecond(),
                    token.methods(),
                    token.assurance(),
                    token.impersonator() == null ? null : new Actor(token.impersonator()));
        }
    }

    /** Who acts as the user (RFC 8693). */
    private record Actor(UserId sub) {}

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
        return Future.succeededFuture(Reply.ok(Response.of(Caller.user(ctx))));
    }
}
