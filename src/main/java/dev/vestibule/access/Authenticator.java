package dev.vestibule.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.Caller.Anonymous;
import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.access.Caller.ProjectClient;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.http.Credentials;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.ApiKeyUsage;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.token.AccessToken;
import dev.vestibule.token.AccessTokens;
import dev.vestibule.token.RefreshTokens;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who sends a request, by its API key, its access token, both together, or the project id or refresh token in
 * its body. The session of an access token is looked up for every request, so that a revoked one is refused at once.
 */
public final class Authenticator {
    private static final String PROJECT_ID = "projectId";
    private static final String AN_API_KEY = "an API key, in x-api-key or as Authorization: Bearer";
    private static final String THE_SECRET_KEY = "the project's secret key";

    private final Database database;
    private final ProjectDirectory projects;
    private final AccessTokens accessTokens;
    private final RefreshTokens refreshTokens;
    private final ActiveSessionStore sessions;
    private final ApiKeyAuthenticator apiKeys;
    private final MemberAuthenticator members;
    private final Clock clock;

    public Authenticator(
            Database database,
            ProjectDirectory projects,
            AccessTokens accessTokens,
            RefreshTokens refreshTokens,
            ActiveSessionStore sessions,
            MemberStore members,
            ApiKeyUsage keyUses,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.accessTokens = accessTokens;
        this.refreshTokens = refreshTokens;
        this.sessions = sessions;
        this.apiKeys = new ApiKeyAuthenticator(database, projects, keyUses);
        this.members = new MemberAuthenticator(database, projects, members);
        this.clock = clock;
    }

    /** The caller, or the guard's error. The body is only needed for guards that may find a project in it. */
    Future<Caller> authenticate(
            Guard guard,
            Credentials credentials,
            Optional<ObjectNode> body,
            @Nullable String projectInPath,
            @Nullable String projectInQuery) {
        return switch (guard) {
            case OPEN -> Future.succeededFuture(new Anonymous());
            case API_KEY -> required(projectClient(credentials, Optional.empty()), AN_API_KEY);
            case PROJECT -> required(projectClient(credentials, body), AN_API_KEY + ", or projectId in the body");
            case REFRESH_TOKEN ->
                projectClient(credentials, body)
                        .compose(client ->
                                client.isPresent() ? Future.succeededFuture(client.get()) : refreshTokenHolder(body));
            case KEY_OR_USER ->
                accessToken(credentials).isPresent()
                        ? user(credentials).map(user -> user)
                        : required(
                                projectClient(credentials, Optional.empty()),
                                "an API key or a user's access token, as Authorization: Bearer");
            case USER -> user(credentials).map(user -> user);
            case DASHBOARD_USER -> dashboardUser(credentials).map(user -> user);
            case MEMBER -> member(credentials, projectInPath).map(member -> member);
            case OWNER -> member(credentials, projectInPath).map(MemberAuthenticator::requireOwner);
            case SERVER -> secretKeyHolder(credentials, THE_SECRET_KEY).map(holder -> holder);
            case SERVER_OR_MEMBER -> serverOrMember(credentials, () -> ProjectParameter.of(projectInQuery, body));
            case SERVER_OR_OWNER ->
                serverOrMember(credentials, () -> ProjectParameter.of(projectInQuery, body))
                        .map(caller ->
                                caller instanceof Member member ? MemberAuthenticator.requireOwner(member) : caller);
        };
    }

    private static Future<Caller> required(Future<Optional<Caller>> client, String needed) {
        return client.map(found -> found.orElseThrow(() -> missing(needed)));
    }

    /** By API key or by the id in the body; empty where the request has neither. */
    private Future<Optional<Caller>> projectClient(Credentials credentials, Optional<ObjectNode> body) {
        var projectId = body.map(object -> object.get(PROJECT_ID)).filter(node -> !node.isNull());
        if (projectId.isPresent() && !projectId.get().isTextual()) {
            throw ApiException.invalid(List.of(new Violation(PROJECT_ID, "must be a string")));
        }
        return apiKeys.find(credentials).compose(key -> {
            if (key.isPresent()) {
                requireSameProject(credentials, key);
                return Future.succeededFuture(Optional.of(
                        projectId.isEmpty()
                                ? key.get()
                                : variantB(key.get(), projectId.get().textValue())));
            }
            return projectId.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : clientOf(projectId.get().textValue()).map(Optional::of);
        });
    }

    /** A request that names the project in its body follows Variant B of the API, even if it has a key. */
    private static Caller variantB(KeyHolder key, String projectId) {
        if (!ProjectId.parse(projectId).equals(Optional.of(key.project().id()))) {
            throw ApiException.forbidden("The API key and projectId belong to different projects.");
        }
        return new KeyHolder(key.project(), ApiVariant.B, key.kind());
    }

    private Future<Caller> clientOf(String projectId) {
        return ProjectId.parse(projectId)
                .map(id -> projects.find(database.reads(), id))
                .orElse(Future.succeededFuture(Optional.empty()))
                .map(found ->
                        new ProjectClient(found.orElseThrow(() -> ApiException.notFound("There is no such project."))
                                .project()));
    }

    /** Anonymous where the body has no refresh token: the handler then reports the missing field. */
    private Future<Caller> refreshTokenHolder(Optional<ObjectNode> body) {
        var text = body.map(object -> object.get("refreshToken")).filter(JsonNode::isTextual);
        if (text.isEmpty()) {
            return Future.succeededFuture(new Anonymous());
        }
        return refreshTokens
                .read(text.get().textValue())
                .map(token -> projects.find(database.reads(), token.project()))
                .orElse(Future.succeededFuture(Optional.empty()))
                .map(found -> new ProjectClient(
                        found.orElseThrow(RefreshTokens::invalid).project()));
    }

    private Future<SignedIn> user(Credentials credentials) {
        var accessToken = accessToken(credentials);
        if (accessToken.isEmpty()) {
            throw missing("a user's access token, as Authorization: Bearer");
        }
        return apiKeys.find(credentials).compose(key -> verify(accessToken.get(), key));
    }

    /** A 401 where the token is not good; a 403 where it comes with an API key of another project. */
    private Future<SignedIn> verify(String accessToken, Optional<KeyHolder> key) {
        return accessTokens
                .verify(database.reads(), accessToken)
                .map(token -> token.orElseThrow(Authenticator::invalidAccessToken))
                .compose(token -> {
                    requireSameProject(token.project(), key);
                    return findSession(token);
                });
    }

    /** Looks up the session and the project at the same time. */
    private Future<SignedIn> findSession(AccessToken token) {
        var user = sessions.findUser(database.reads(), token.project(), token.session(), token.user(), clock.instant());
        return projects.find(database.reads(), token.project())
                .compose(project -> user.map(found -> new SignedIn(
                        project.orElseThrow(Authenticator::invalidAccessToken).project(),
                        token,
                        found.orElseThrow(Authenticator::invalidAccessToken))));
    }

    private Future<SignedIn> dashboardUser(Credentials credentials) {
        if (accessToken(credentials).isEmpty()) {
            return apiKeys.find(credentials).map(key -> {
                throw key.isEmpty()
                        ? missing("a dashboard user's access token, as Authorization: Bearer")
                        : wrong("a dashboard user's access token, not an API key");
            });
        }
        return user(credentials).map(user -> {
            if (user.project().id().equals(ProjectId.SYSTEM)) {
                return user;
            }
            throw wrong("a dashboard user's access token");
        });
    }

    private Future<Member> member(Credentials credentials, @Nullable String projectId) {
        return dashboardUser(credentials).compose(user -> members.find(user, projectId));
    }

    /** The project's servers, whose key names the project already, or a member, who has to name it. */
    private Future<Caller> serverOrMember(Credentials credentials, Supplier<ProjectParameter> projectId) {
        if (credentials.apiKey().isEmpty() && accessToken(credentials).isPresent()) {
            return dashboardUser(credentials)
                    .compose(user -> members.find(user, projectId.get().required()))
                    .map(member -> member);
        }
        return secretKeyHolder(credentials, THE_SECRET_KEY + ", or a dashboard user's access token")
                .map(holder -> {
                    projectId.get().requireSame(holder.project().id());
                    return holder;
                });
    }

    /** A 403 for credentials that are good but of another sort, a 401 for a request without any. */
    private Future<KeyHolder> secretKeyHolder(Credentials credentials, String needed) {
        return apiKeys.find(credentials).compose(key -> {
            if (key.isEmpty()) {
                return accessToken(credentials).isEmpty()
                        ? Future.failedFuture(missing(needed))
                        : user(credentials).map(user -> {
                            throw wrong(needed);
                        });
            }
            requireSameProject(credentials, key);
            return key.get().isServer() ? Future.succeededFuture(key.get()) : Future.failedFuture(wrong(needed));
        });
    }

    /** The access token as it was sent, not verified yet. API keys may come as Bearer values too. */
    private static Optional<String> accessToken(Credentials credentials) {
        return credentials.bearer().filter(value -> !ApiKey.looksLikeKey(value));
    }

    /** By what the token claims: here it only comes along with the key, so nothing verifies it. */
    private static void requireSameProject(Credentials credentials, Optional<KeyHolder> key) {
        accessToken(credentials)
                .flatMap(AccessTokens::claimedProject)
                .ifPresent(ofToken -> requireSameProject(ofToken, key));
    }

    private static void requireSameProject(ProjectId ofToken, Optional<KeyHolder> key) {
        if (key.isPresent() && !key.get().project().id().equals(ofToken)) {
            throw ApiException.forbidden("The API key and the access token belong to different projects.");
        }
    }

    private static ApiException missing(String needed) {
        return ApiException.unauthorized("This endpoint needs " + needed + ".");
    }

    private static ApiException wrong(String needed) {
        return ApiException.forbidden("This endpoint needs " + needed + ".");
    }

    private static ApiException invalidAccessToken() {
        return ApiException.unauthorized("The access token is invalid, expired or revoked.");
    }
}
