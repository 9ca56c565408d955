package dev.vestibule.authentication;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.AbandonedRequest;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Uuids;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.SessionErrors;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.AccessToken;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.User;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Refreshes and verifies the tokens of a session. */
public final class TokenHandler {
    private final TokenRefresh refresh;
    private final Database database;
    private final SessionStore sessions;
    private final ActiveSessionStore activeSessions = new ActiveSessionStore();
    private final TokenIssuer issuer;
    private final Clock clock;

    TokenHandler(TokenRefresh refresh, Database database, SessionStore sessions, TokenIssuer issuer, Clock clock) {
        this.refresh = refresh;
        this.database = database;
        this.sessions = sessions;
        this.issuer = issuer;
        this.clock = clock;
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

    private record OrganizationChoice(@Nullable UUID id) {
        static OrganizationChoice of(Fields fields) {
            if (!fields.has("organizationId")) {
                fields.reject("organizationId", "is required, or null for none");
            }
            return new OrganizationChoice(fields.optional(
                    "organizationId",
                    text -> Uuids.parse(text)
                            .orElseThrow(() -> new InvalidValueException("must be the id of an organization"))));
        }
    }

    /**
     * {@code POST /v1/auth/token/organization}: an access token for one of the caller's organizations, or for none; the
     * session's next tokens are for the same.
     */
    public Future<Reply> forOrganization(ApiRequest request) {
        var caller = request.user();
        var choice = request.fields(OrganizationChoice::of);
        var now = clock.instant();
        return activeSessions
                .setOrganization(
                        database.writes(),
                        caller.project().id(),
                        caller.token().session(),
                        caller.user().id(),
                        choice.id(),
                        now)
                .map(found ->
                        found.orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "There is no such organization.")))
                .compose(live -> sessions.requireCurrent(
                                caller.project().id(),
                                caller.token().session(),
                                live.person(),
                                now,
                                SessionErrors::ended)
                        .map(live))
                .compose(live -> issuer.issueAccessToken(
                        database.reads(),
                        caller.project(),
                        caller.token().session(),
                        live.person(),
                        caller.project().defaultClaims(),
                        Collections.min(List.of(
                                caller.project().accessTokenTtl(live.variant()),
                                Duration.between(now, live.expiresAt())))))
                .map(Reply::ok);
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
            @JsonProperty("org_id") @Nullable UUID orgId,
            @JsonProperty("org_slug") @Nullable String orgSlug,
            @JsonProperty("org_role") @Nullable String orgRole,
            @JsonProperty("org_permissions") @Nullable List<String> orgPermissions,

            @JsonProperty("org_permissions_truncated") @Nullable
            Boolean orgPermissionsTruncated,

            @JsonAnyGetter Map<String, JsonNode> customClaims) {
        static Payload of(AccessToken token, Map<String, JsonNode> customClaims) {
            var organization = token.organization();
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
                    organization == null ? null : organization.id(),
                    organization == null ? null : organization.slug(),
                    organization == null ? null : organization.role(),
                    organization == null ? null : organization.permissions(),
                    (organization != null && organization.isTruncated()) ? true : null,
                    customClaims);
        }
    }

    /** The dashboard user who acts as the user (RFC 8693). */
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
