package dev.vestibule.authentication;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.http.AbandonedRequest;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.project.ProjectId;
import dev.vestibule.token.AccessToken;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Refreshes and verifies the tokens of a session. */
public final class TokenHandler {
    private final TokenRefresh refresh;

    TokenHandler(TokenRefresh refresh) {
        this.refresh = refresh;
    }

    /** {@code POST /v1/auth/token/refresh} (Variant A): replaces the refresh token and extends the session. */
    public Future<Reply> refresh(ApiRequest request) {
        return rotate(request, refreshToken(request));
    }

    /** Replaces this refresh token, no matter where the request had it. */
    public Future<Reply> rotate(ApiRequest request, String refreshToken) {
        return refresh.rotate(
                        request.project(),
                        refreshToken,
                        () -> AbandonedRequest.is(request.context()),
                        () -> request.trail())
                .map(Reply::ok);
    }

    private record NewAccessToken(String accessToken, long expiresIn) {}

    /** {@code POST /v1/auth/refresh} (Variant B): a new access token; refresh token and session expiry stay. */
    public Future<Reply> refreshAccessToken(ApiRequest request) {
        var token = refreshToken(request); // first: without one the request may not name a project either
        return refresh.renewAccessToken(
                        request.project(), token, () -> AbandonedRequest.is(request.context()), () -> request.trail())
                .map(tokens -> Reply.ok(new NewAccessToken(tokens.accessToken(), tokens.expiresIn())));
    }

    private static String refreshToken(ApiRequest request) {
        return request.fields(fields -> fields.required("refreshToken", FieldType.token()));
    }

    private record Verified(
            boolean valid,
            Payload payload,
            Owner user,
            @JsonUnwrapped User whole) {
        static Verified of(SignedIn caller, Map<String, JsonNode> customClaims) {
            return new Verified(true, Payload.of(caller.token(), customClaims), Owner.of(caller.user()), caller.user());
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
            @Nullable Actor act,
            @JsonAnyGetter Map<String, JsonNode> customClaims) {
        static Payload of(AccessToken token, Map<String, JsonNode> customClaims) {
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
                    token.impersonator() == null ? null : new Actor(token.impersonator()),
                    customClaims);
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

    /**
     * {@code GET /v1/auth/token/verify}: the claims and the user of a valid access token. The whole user is also at the
     * top level, since some clients read the response as a user and others as the result of a check.
     */
    public Future<Reply> verify(ApiRequest request) {
        var caller = request.user();
        var customClaims = caller.token().hasCustomClaims()
                ? AccessToken.customClaims(request.accessToken())
                : Map.<String, JsonNode>of();
        return Future.succeededFuture(Reply.ok(Verified.of(caller, customClaims)));
    }
}
