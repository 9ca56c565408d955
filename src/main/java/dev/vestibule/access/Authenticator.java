package dev.vestibule.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.Caller.Anonymous;
import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.access.Caller.OfDirectory;
import dev.vestibule.access.Caller.ProjectClient;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.Violation;
import dev.vestibule.journal.Journal;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.ApiKeyUsage;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SystemProject;
import dev.vestibule.session.ActiveSessions;
import dev.vestibule.token.AccessToken;
import dev.vestibule.token.AccessTokens;
import dev.vestibule.token.RefreshTokens;
import dev.vestibule.user.organization.directory.DirectoryTokens;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the sender of a request by its API key, its access token, both together, or the project id or refresh
 * token in its body. It looks up the session of an access token for every request, so that a revoked one is refused at
 * once.
 */
public final class Authenticator {
    private static final String PROJECT_ID = "projectId";
    private static final String AN_API_KEY = "an API key, in x-api-key or as Authorization: Bearer";
    private static final String THE_SECRET_KEY = "the project's secret key";

    private final Database database;
    private final ProjectDirectory projects;
    private final AccessTokens accessTokens;
    private final RefreshTokens refreshTokens;
    private final ActiveSessions sessions;
    private final ApiKeyAuthenticator apiKeys;
    private final MemberAuthenticator members;
    private final DirectoryTokens directories;
    private final SystemProject system;
    private final Journal journal;
    private final Administrators administrators;

    public Authenticator(
            Database database,
            ProjectDirectory projects,
            AccessTokens accessTokens,
            RefreshTokens refreshTokens,
            ApiKeyUsage keyUses,
            Journal journal,
            Administrators administrators,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.accessTokens = accessTokens;
        this.refreshTokens = refreshTokens;
        this.sessions = new ActiveSessions(database, clock);
        this.apiKeys = new ApiKeyAuthenticator(database, projects, keyUses);
        this.members = new MemberAuthenticator(database, projects);
        this.directories = new DirectoryTokens(database, clock);
        this.system = new SystemProject(database, projects);
        this.journal = journal;
        this.administrators = administrators;
    }

    /**
     * The caller as far as the headers identify it, or the guard's error. If the guard needs the body,
     * {@link #withBody} decides; the result is then empty if the headers identify nobody.
     */
    Future<Optional<Caller>> byHeaders(
            Guard guard, Attempt attempt, @Nullable String projectInPath, @Nullable String directoryInPath) {
        return switch (guard) {
            case OPEN -> Future.succeededFuture(Optional.of(new Anonymous()));
            case KNOWN_PROJECT ->
                clientOf(attempt, String.valueOf(projectInPath)).map(exists -> Optional.of(new Anonymous()));
            case ISSUER -> clientOf(attempt, String.valueOf(projectInPath)).map(Optional::of);
            case DASHBOARD -> dashboardClient().map(Optional::of);
            case API_KEY -> required(keyHolder(attempt), AN_API_KEY);
            case PROJECT, REFRESH_TOKEN -> keyHolder(attempt);
            case PROJECT_OR_USER ->
                accessToken(attempt).isEmpty()
                        ? keyHolder(attempt)
                        : keyHolderOrUser(attempt).map(Optional::of);
            case KEY_OR_USER -> keyHolderOrUser(attempt).map(Optional::of);
            case USER -> user(attempt).map(Optional::of);
            case DASHBOARD_USER -> dashboardUser(attempt).map(Optional::of);
            case ADMINISTRATOR ->
                dashboardUser(attempt).map(user -> {
                    administrators.require(user.user());
                    return Optional.of(user);
                });
            case MEMBER, OWNER, DEVELOPER ->
                member(attempt, projectInPath)
                        .map(member -> MemberAuthenticator.require(guard, member))
                        .map(Optional::of);
            case DIRECTORY ->
                directory(attempt, String.valueOf(projectInPath), String.valueOf(directoryInPath))
                        .map(Optional::of);
            case SERVER -> secretKeyHolder(attempt, THE_SECRET_KEY).map(Optional::of);
            case SERVER_OR_MEMBER, SERVER_OR_DEVELOPER, SERVER_OR_SUPPORT ->
                serverOrDashboardUser(attempt).map(Optional::of);
        };
    }

    /** The caller, if the project may be in the body; found is the caller from the headers. */
    Future<Caller> withBody(
            Guard guard,
            Optional<Caller> found,
            Attempt attempt,
            Optional<ObjectNode> body,
            @Nullable String projectInQuery) {
        return switch (guard) {
            case PROJECT ->
                projectClient(found, attempt, body)
                        .map(client -> client.orElseThrow(() -> missing(AN_API_KEY + ", or projectId in the body")));
            case PROJECT_OR_USER ->
                found.isPresent() && found.get() instanceof SignedIn user
                        ? Future.succeededFuture(user)
                        : projectClient(found, attempt, body)
                                .map(client ->
                                        client.orElseThrow(() -> missing("a user's access token, or " + AN_API_KEY)));
            case REFRESH_TOKEN ->
                projectClient(found, attempt, body)
                        .compose(client ->
                                client.isPresent() ? Future.succeededFuture(client.get()) : refreshTokenHolder(body));
            case SERVER_OR_MEMBER, SERVER_OR_DEVELOPER, SERVER_OR_SUPPORT ->
                inProject(found.orElseThrow(), ProjectParameter.of(projectInQuery, body))
                        .map(caller ->
                                caller instanceof Member member ? MemberAuthenticator.require(guard, member) : caller);
            case OPEN,
                    KNOWN_PROJECT,
                    ISSUER,
                    DASHBOARD,
                    API_KEY,
                    KEY_OR_USER,
                    USER,
                    DASHBOARD_USER,
                    ADMINISTRATOR,
                    MEMBER,
                    OWNER,
                    DEVELOPER,
                    DIRECTORY,
                    SERVER -> Future.succeededFuture(found.orElseThrow());
        };
    }

    /** The caller of an operation that takes longer than an access token lives, as of now; or the guard's error. */
    Future<Caller> again(Guard guard, Caller caller, Attempt attempt) {
        if (caller instanceof Member member) {
            return findSession(attempt, member.who().token())
                    .compose(user -> members.find(user, member.project().id().toString()))
                    .map(found -> MemberAuthenticator.require(guard, found));
        }
        return caller instanceof SignedIn user
                ? findSession(attempt, user.token()).map(found -> found)
                : required(keyHolder(attempt), AN_API_KEY).map(Optional::orElseThrow);
    }

    private static Future<Optional<Caller>> required(Future<Optional<Caller>> client, String needed) {
        return client.map(found -> {
            if (found.isEmpty()) {
                throw missing(needed);
            }
            return found;
        });
    }

    /**
     * A project or directory that does not exist is the same 401 as a wrong token, so that nobody can probe for ids.
     */
    private Future<Caller> directory(Attempt attempt, String projectId, String directoryId) {
        var token =
                accessToken(attempt).orElseThrow(() -> missing("a token of the directory, as Authorization: Bearer"));
        var project = ProjectId.parse(projectId).orElseThrow(DirectoryTokens::refused);
        return in(project, attempt, () -> directories.find(project, token, attempt::isGone, attempt::beforeLookup))
                .compose(found -> requireSetUp(found, project, attempt))
                .map(found -> found.filter(
                                one -> one.directory().id().toString().equalsIgnoreCase(directoryId))
                        .orElseThrow(DirectoryTokens::refused))
                .compose(found -> projects.find(database, project)
                        .map(owner ->
                                owner.orElseThrow(DirectoryTokens::refused).project())
                        .map(owner -> new OfDirectory(owner, found.directory().requireEnabled(), found.id())));
    }

    /** The holder of the request's API key; empty if it has none. */
    private Future<Optional<Caller>> keyHolder(Attempt attempt) {
        return apiKeys.find(attempt).map(key -> {
            if (key.isPresent()) {
                requireSameProject(attempt, key);
            }
            return key.map(holder -> holder);
        });
    }

    /** The client, by its API key or by the project's id in the body; empty if the request has neither. */
    private Future<Optional<Caller>> projectClient(
            Optional<Caller> keyHolder, Attempt attempt, Optional<ObjectNode> body) {
        var projectId = body.map(object -> object.get(PROJECT_ID)).filter(node -> !node.isNull());
        if (projectId.isEmpty()) {
            return Future.succeededFuture(keyHolder);
        }
        if (!projectId.get().isTextual()) {
            throw ApiException.invalid(List.of(new Violation(PROJECT_ID, "must be a string")));
        }
        var id = projectId.get().textValue();
        return keyHolder.isPresent()
                ? Future.succeededFuture(Optional.of(variantB((KeyHolder) keyHolder.get(), id)))
                : clientOf(attempt, id).map(Optional::of);
    }

    /** A request that names the project in its body follows Variant B of the API, even if it has a key. */
    private static Caller variantB(KeyHolder key, String projectId) {
        if (!ProjectId.parse(projectId).equals(Optional.of(key.project().id()))) {
            throw ApiException.of(
                    ErrorCode.PROJECT_MISMATCH, "The API key and projectId belong to different projects.");
        }
        return new KeyHolder(key.project(), ApiVariant.B, key.kind(), key.keyId());
    }

    private Future<Caller> clientOf(Attempt attempt, String projectId) {
        return ProjectId.parse(projectId)
                .map(id -> projects.find(database, id, attempt::beforeLookup))
                .orElse(Future.succeededFuture(Optional.empty()))
                .map(found -> {
                    if (found.isEmpty()) {
                        attempt.countIfCostly();
                        throw ApiException.of(ErrorCode.NOT_FOUND, "There is no such project.");
                    }
                    return new ProjectClient(found.get().project(), ApiVariant.B);
                });
    }

    /** Anonymous if the body has no refresh token: the handler then reports the missing field. */
    private Future<Caller> refreshTokenHolder(Optional<ObjectNode> body) {
        var text = body.map(object -> object.get("refreshToken")).filter(JsonNode::isTextual);
        if (text.isEmpty()) {
            return Future.succeededFuture(new Anonymous());
        }
        return refreshTokens
                .read(text.get().textValue())
                .map(token -> projects.find(database, token.project()))
                .orElse(Future.succeededFuture(Optional.empty()))
                .map(found -> new ProjectClient(
                        found.orElseThrow(RefreshTokens::invalid).project(), ApiVariant.B));
    }

    /** Dashboard users are the users of the built-in project, and their sessions are of Variant A. */
    private Future<Caller> dashboardClient() {
        return system.get().map(project -> new ProjectClient(project, ApiVariant.A));
    }

    /** A key is enough, so a token with it may be stale: apps send whatever they hold with every request. */
    private Future<Caller> keyHolderOrUser(Attempt attempt) {
        if (accessToken(attempt).isPresent()) {
            return apiKeys.find(attempt)
                    .compose(key -> verify(attempt, accessToken(attempt).get(), key)
                            .<Caller>map(user -> user)
                            .recover(failure -> key.isPresent() && isUnverified(failure)
                                    ? withoutToken(attempt, key.get())
                                    : Future.failedFuture(failure)));
        }
        return required(keyHolder(attempt), "an API key or a user's access token, as Authorization: Bearer")
                .map(Optional::orElseThrow);
    }

    /** Invalid, or not checked because the network has presented too many bad ones. */
    private static boolean isUnverified(Throwable failure) {
        return failure instanceof ApiException refused
                && (refused.status() == ErrorStatus.UNAUTHORIZED || refused.status() == ErrorStatus.TOO_MANY_REQUESTS);
    }

    private static Future<Caller> withoutToken(Attempt attempt, KeyHolder key) {
        attempt.countIfCostly();
        requireSameProject(attempt, Optional.of(key));
        return Future.succeededFuture(key.withUnverifiedToken());
    }

    private Future<SignedIn> user(Attempt attempt) {
        var accessToken = accessToken(attempt);
        if (accessToken.isEmpty()) {
            throw missing("a user's access token, as Authorization: Bearer");
        }
        return apiKeys.find(attempt).compose(key -> verify(attempt, accessToken.get(), key));
    }

    /** A 401 if the token is invalid; a 403 if it comes with an API key of another project. */
    private Future<SignedIn> verify(Attempt attempt, String accessToken, Optional<KeyHolder> key) {
        return verify(attempt, accessToken)
                .map(token -> token.orElseThrow(Authenticator::invalidAccessToken))
                .compose(token -> {
                    requireSameProject(token.project(), key);
                    return findSession(attempt, token);
                });
    }

    private Future<Optional<AccessToken>> verify(Attempt attempt, String accessToken) {
        Supplier<Future<Optional<AccessToken>>> check =
                () -> accessTokens.verify(database.reads(), accessToken, attempt::beforeLookup);
        if (!database.isSpread()) {
            return check.get()
                    .compose(token -> token.isPresent()
                            ? Future.succeededFuture(token)
                            : AccessTokens.claimedProject(accessToken)
                                    .map(project -> requireSetUp(token, project, attempt))
                                    .orElse(Future.succeededFuture(token)));
        }
        // A token that names no project is none, and leads the request nowhere.
        return AccessTokens.claimedProject(accessToken)
                .map(project -> in(project, attempt, check))
                .orElse(Future.succeededFuture(Optional.empty()));
    }

    /**
     * What was found with a credential of the project; a 503 if nothing was since its database is not set up here. A
     * 401 would make clients forget what is right.
     */
    private <T> Future<Optional<T>> requireSetUp(Optional<T> found, ProjectId project, Attempt attempt) {
        return found.isPresent() || database.isSpread()
                ? Future.succeededFuture(found)
                : projects.find(database, project, attempt::beforeLookup).map(found);
    }

    /** Works in the database of the project, which may be another one than the request has entered before. */
    private <T> Future<T> in(ProjectId project, Attempt attempt, Supplier<Future<T>> work) {
        return database.isSpread()
                ? projects.enter(database, project, attempt::beforeLookup).compose(entered -> work.get())
                : work.get();
    }

    private Future<SignedIn> findSession(Attempt attempt, AccessToken token) {
        return in(token.project(), attempt, () -> findSessionHere(attempt, token));
    }

    /** Looks up the session and the project at the same time. */
    private Future<SignedIn> findSessionHere(Attempt attempt, AccessToken token) {
        var organization = token.organization();
        var user = sessions.findUser(
                token.project(),
                token.session(),
                token.user(),
                organization == null ? null : organization.id(),
                organization == null ? null : organization.role(),
                attempt::isGone);
        return projects.find(database, token.project())
                .compose(project -> user.map(found -> new SignedIn(
                        project.orElseThrow(Authenticator::invalidAccessToken).project(),
                        token,
                        found.orElseThrow(Authenticator::invalidAccessToken))))
                .onSuccess(this::recordActivity);
    }

    /** An impersonator's requests do not count as the user's activity. */
    private void recordActivity(SignedIn caller) {
        if (caller.token().impersonator() == null) {
            journal.markActive(caller.project().id(), caller.user().id().value());
        }
    }

    private Future<SignedIn> dashboardUser(Attempt attempt) {
        if (accessToken(attempt).isEmpty()) {
            return apiKeys.find(attempt).map(key -> {
                throw key.isEmpty()
                        ? missing("a dashboard user's access token, as Authorization: Bearer")
                        : wrong("a dashboard user's access token, not an API key");
            });
        }
        return user(attempt).map(user -> {
            if (user.project().id().equals(ProjectId.SYSTEM)) {
                return user;
            }
            throw wrong("a dashboard user's access token");
        });
    }

    private Future<Member> member(Attempt attempt, @Nullable String projectId) {
        return dashboardUser(attempt).compose(user -> members.find(user, projectId));
    }

    /** The project's servers, or a dashboard user, whether or not they are a member of the project. */
    private Future<Caller> serverOrDashboardUser(Attempt attempt) {
        return attempt.credentials().apiKey().isEmpty() && accessToken(attempt).isPresent()
                ? dashboardUser(attempt).map(user -> user)
                : secretKeyHolder(attempt, THE_SECRET_KEY + ", or a dashboard user's access token")
                        .map(holder -> holder);
    }

    /** A server's key already names the project; a dashboard user has to name one that they are a member of. */
    private Future<Caller> inProject(Caller caller, ProjectParameter projectId) {
        if (caller instanceof SignedIn user) {
            return members.find(user, projectId.required()).map(member -> member);
        }
        projectId.requireSame(((KeyHolder) caller).project().id(), "API key");
        return Future.succeededFuture(caller);
    }

    /** A 403 for valid credentials of another kind, a 401 for a request without any. */
    private Future<KeyHolder> secretKeyHolder(Attempt attempt, String needed) {
        return apiKeys.find(attempt).compose(key -> {
            if (key.isEmpty()) {
                return accessToken(attempt).isEmpty()
                        ? Future.failedFuture(missing(needed))
                        : user(attempt).map(user -> {
                            throw wrong(needed);
                        });
            }
            requireSameProject(attempt, key);
            return key.get().isServer() ? Future.succeededFuture(key.get()) : Future.failedFuture(wrong(needed));
        });
    }

    /** The access token as it was sent, not verified yet. API keys can be sent as Bearer tokens too. */
    private static Optional<String> accessToken(Attempt attempt) {
        return attempt.credentials().bearer().filter(value -> !ApiKey.looksLikeKey(value));
    }

    /** Compares what the token claims: it only accompanies the key here, so nothing verifies it. */
    private static void requireSameProject(Attempt attempt, Optional<KeyHolder> key) {
        accessToken(attempt)
                .flatMap(AccessTokens::claimedProject)
                .ifPresent(ofToken -> requireSameProject(ofToken, key));
    }

    private static void requireSameProject(ProjectId ofToken, Optional<KeyHolder> key) {
        if (key.isPresent() && !key.get().project().id().equals(ofToken)) {
            throw ApiException.of(
                    ErrorCode.PROJECT_MISMATCH, "The API key and the access token belong to different projects.");
        }
    }

    private static ApiException missing(String needed) {
        return ApiException.of(ErrorCode.CREDENTIALS_REQUIRED, "This endpoint needs " + needed + ".");
    }

    private static ApiException wrong(String needed) {
        return ApiException.of(ErrorCode.CREDENTIAL_NOT_ALLOWED, "This endpoint needs " + needed + ".");
    }

    private static ApiException invalidAccessToken() {
        return ApiException.of(ErrorCode.INVALID_ACCESS_TOKEN, "The access token is invalid, expired or revoked.");
    }
}
