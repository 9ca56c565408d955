package dev.vestibule.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.Caller.Anonymous;
import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.access.Caller.ProjectClient;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiError;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.http.Credentials;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.ApiKeyUsage;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.AccessTokens;
import dev.vestibule.token.RefreshTokens;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Resolves credentials, in this one place: keys, access tokens, both at once, and project ids in bodies. */
public final class Authenticator {
    private static final String PROJECT_ID = "projectId";

    private final Database database;
    private final ProjectDirectory projects;
    private final RefreshTokens refreshTokens;
    private final ApiKeyAuthenticator keyHolders;
    private final AccessTokenAuthenticator tokenHolders;
    private final MemberAuthenticator members;

    public Authenticator(
            Database database,
            ProjectDirectory projects,
            AccessTokens accessTokens,
            RefreshTokens refreshTokens,
            SessionStore sessions,
            MemberStore members,
            ApiKeyUsage keyUses,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.refreshTokens = refreshTokens;
        this.keyHolders = new ApiKeyAuthenticator(database, projects, keyUses);
        this.tokenHolders = new AccessTokenAuthenticator(database, projects, accessTokens, sessions, clock);
        this.members = new MemberAuthenticator(database, projects, members);
    }

    /** The caller, or the refusal of the guard. The body matters to those guards alone that may find a project in it. */
    Future<Caller> resolve(
            Guard guard,
            Credentials presented,
            Optional<ObjectNode> body,
            @Nullable String projectInPath,
            @Nullable String projectInQuery) {
        return switch (guard) {
            case OPEN -> Future.succeededFuture(new Anonymous());
            case API_KEY, PROJECT ->
                ofProject(presented, body).map(found -> found.orElseThrow(Authenticator::nothingShown));
            case REFRESH_TOKEN ->
                ofProject(presented, body)
                        .compose(found ->
                                found.isPresent() ? Future.succeededFuture(found.get()) : ofRefreshToken(body));
            case KEY_OR_USER ->
                AccessTokenAuthenticator.shown(presented).isPresent()
                        ? signedIn(presented).map(user -> user)
                        : ofProject(presented, Optional.empty())
                                .map(found -> found.orElseThrow(Authenticator::nothingShown));
            case USER -> signedIn(presented).map(user -> user);
            case DASHBOARD_USER -> ofDashboard(presented).map(user -> user);
            case MEMBER ->
                ofDashboard(presented)
                        .compose(user -> members.find(user, projectInPath))
                        .map(member -> member);
            case OWNER ->
                ofDashboard(presented)
                        .compose(user -> members.find(user, projectInPath))
                        .map(MemberAuthenticator::owner);
            case SERVER -> ofSecretKey(presented, "the project's secret key").map(holder -> holder);
            case SERVER_OR_MEMBER -> ofManager(presented, () -> ProjectParameter.of(projectInQuery, body));
            case SERVER_OR_OWNER ->
                ofManager(presented, () -> ProjectParameter.of(projectInQuery, body))
                        .map(caller -> caller instanceof Member member ? MemberAuthenticator.owner(member) : caller);
        };
    }

    /** The project's servers, which need not name it, or a member, who must. */
    private Future<Caller> ofManager(Credentials presented, Supplier<ProjectParameter> named) {
        if (presented.apiKey().isEmpty()
                && AccessTokenAuthenticator.shown(presented).isPresent()) {
            return ofDashboard(presented)
                    .compose(user -> members.find(user, named.get().required()))
                    .map(member -> member);
        }
        return ofSecretKey(presented, "the project's secret key, or a dashboard user's access token")
                .map(holder -> {
                    named.get().holdTo(holder.project().id());
                    return holder;
                });
    }

    /** By key or by the id in the body; empty where neither is there. */
    private Future<Optional<Caller>> ofProject(Credentials presented, Optional<ObjectNode> body) {
        var named = body.map(object -> object.get(PROJECT_ID)).filter(node -> !node.isNull());
        if (named.isPresent() && !named.get().isTextual()) {
            throw ApiError.invalid(List.of(new Violation(PROJECT_ID, "must be a string")));
        }
        return keyHolders.find(presented).compose(key -> {
            if (key.isPresent()) {
                AccessTokenAuthenticator.shown(presented)
                        .flatMap(AccessTokens::claimedProject)
                        .ifPresent(ofToken -> AccessTokenAuthenticator.refuseOtherProject(ofToken, key));
                return Future.succeededFuture(Optional.of(
                        named.isEmpty()
                                ? key.get()
                                : ofVariantB(key.get(), named.get().textValue())));
            }
            return named.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : stranger(named.get().textValue()).map(Optional::of);
        });
    }

    private static Caller ofVariantB(KeyHolder key, String projectId) {
        if (!ProjectId.parse(projectId).equals(Optional.of(key.project().id()))) {
            throw ApiError.forbidden("The API key and projectId belong to different projects.");
        }
        return new KeyHolder(key.project(), ApiVariant.B, key.kind());
    }

    private Future<Caller> stranger(String projectId) {
        return ProjectId.parse(projectId)
                .map(id -> projects.find(database.reads(), id))
                .orElse(Future.succeededFuture(Optional.empty()))
                .map(found -> new ProjectClient(found.orElseThrow(() -> ApiError.notFound("There is no such project."))
                        .project()));
    }

    /** Anonymous where there is no text to read: what is missing there, the handler says. */
    private Future<Caller> ofRefreshToken(Optional<ObjectNode> body) {
        var text = body.map(object -> object.get("refreshToken")).filter(JsonNode::isTextual);
        if (text.isEmpty()) {
            return Future.succeededFuture(new Anonymous());
        }
        return refreshTokens
                .read(text.get().textValue())
                .map(token -> projects.find(database.reads(), token.project()))
                .orElse(Future.succeededFuture(Optional.empty()))
                .map(found -> new ProjectClient(
                        found.orElseThrow(RefreshTokens::refused).project()));
    }

    private Future<SignedIn> signedIn(Credentials presented) {
        var shown = AccessTokenAuthenticator.shown(presented);
        if (shown.isEmpty()) {
            throw ApiError.unauthorized("An access token is needed, as Authorization: Bearer.");
        }
        return keyHolders.find(presented).compose(key -> tokenHolders.check(shown.get(), key));
    }

    private Future<SignedIn> ofDashboard(Credentials presented) {
        if (AccessTokenAuthenticator.shown(presented).isEmpty()) {
            return keyHolders.find(presented).map(found -> {
                throw found.isEmpty()
                        ? ApiError.unauthorized("A dashboard user's access token is needed, as Authorization: Bearer.")
                        : ApiError.forbidden("An API key does not do here: a dashboard user's access token does.");
            });
        }
        return signedIn(presented).map(user -> {
            if (user.project().id().equals(ProjectId.SYSTEM)) {
                return user;
            }
            throw ApiError.forbidden("This is for dashboard users.");
        });
    }

    /** Whoever proves to be somebody else gets a 403, whoever proves nothing a 401. */
    private Future<KeyHolder> ofSecretKey(Credentials presented, String needed) {
        return ofProject(presented, Optional.empty()).compose(found -> {
            if (found.isEmpty()) {
                return AccessTokenAuthenticator.shown(presented).isEmpty()
                        ? Future.failedFuture(ApiError.unauthorized("What is needed is " + needed + "."))
                        : signedIn(presented).map(user -> {
                            throw doesNotDo(needed);
                        });
            }
            return found.get() instanceof KeyHolder holder && holder.kind() == ApiKey.Kind.SECRET
                    ? Future.succeededFuture(holder)
                    : Future.failedFuture(doesNotDo(needed));
        });
    }

    private static ApiException doesNotDo(String needed) {
        return ApiError.forbidden("This does not do here: what is needed is " + needed + ".");
    }

    private static ApiException nothingShown() {
        return ApiError.unauthorized("An API key is needed, as x-api-key or as Authorization: Bearer.");
    }
}
