package dev.vestibule.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.Caller.KeyHolder;
import dev.vestibule.access.Caller.Member;
import dev.vestibule.access.Caller.Nobody;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.Caller.Stranger;
import dev.vestibule.database.Database;
import dev.vestibule.error.Refusal;
import dev.vestibule.error.RefusedException;
import dev.vestibule.error.Violation;
import dev.vestibule.http.Presented;
import dev.vestibule.project.ApiKey;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.KeyUses;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.member.MembershipStore;
import dev.vestibule.session.LiveSessions;
import dev.vestibule.token.AccessTokens;
import dev.vestibule.token.RefreshTokens;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Resolves credentials, in this one place: keys, access tokens, both at once, and project ids in bodies. */
public final class Callers {
    private static final String PROJECT_ID = "projectId";

    private final Database database;
    private final ProjectDirectory projects;
    private final RefreshTokens refreshTokens;
    private final KeyHolders keyHolders;
    private final TokenHolders tokenHolders;
    private final Members members;

    public Callers(
            Database database,
            ProjectDirectory projects,
            AccessTokens accessTokens,
            RefreshTokens refreshTokens,
            LiveSessions sessions,
            MembershipStore memberships,
            KeyUses keyUses) {
        this.database = database;
        this.projects = projects;
        this.refreshTokens = refreshTokens;
        this.keyHolders = new KeyHolders(database, projects, keyUses);
        this.tokenHolders = new TokenHolders(database, projects, accessTokens, sessions);
        this.members = new Members(database, projects, memberships);
    }

    /** The caller, or the refusal of the guard. The body matters to those guards alone that may find a project in it. */
    Future<Caller> resolve(
            Guard guard,
            Presented presented,
            Optional<ObjectNode> body,
            @Nullable String projectInPath,
            @Nullable String projectInQuery) {
        return switch (guard) {
            case OPEN -> Future.succeededFuture(new Nobody());
            case API_KEY, PROJECT -> ofProject(presented, body).map(found -> found.orElseThrow(Callers::nothingShown));
            case REFRESH_TOKEN ->
                ofProject(presented, body)
                        .compose(found ->
                                found.isPresent() ? Future.succeededFuture(found.get()) : ofRefreshToken(body));
            case KEY_OR_USER ->
                TokenHolders.shown(presented).isPresent()
                        ? signedIn(presented).map(user -> user)
                        : ofProject(presented, Optional.empty()).map(found -> found.orElseThrow(Callers::nothingShown));
            case USER -> signedIn(presented).map(user -> user);
            case DASHBOARD_USER -> ofDashboard(presented).map(user -> user);
            case MEMBER ->
                ofDashboard(presented)
                        .compose(user -> members.find(user, projectInPath))
                        .map(member -> member);
            case OWNER ->
                ofDashboard(presented)
                        .compose(user -> members.find(user, projectInPath))
                        .map(Members::owner);
            case SECRET_KEY ->
                ofSecretKey(presented, "the project's secret key").map(holder -> holder);
            case SECRET_KEY_OR_MEMBER -> ofManager(presented, () -> NamedProject.of(projectInQuery, body));
            case SECRET_KEY_OR_OWNER ->
                ofManager(presented, () -> NamedProject.of(projectInQuery, body))
                        .map(caller -> caller instanceof Member member ? Members.owner(member) : caller);
        };
    }

    /** The project's servers, which need not name it, or a member, who must. */
    private Future<Caller> ofManager(Presented presented, Supplier<NamedProject> named) {
        if (presented.apiKey().isEmpty() && TokenHolders.shown(presented).isPresent()) {
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
    private Future<Optional<Caller>> ofProject(Presented presented, Optional<ObjectNode> body) {
        var named = body.map(object -> object.get(PROJECT_ID)).filter(node -> !node.isNull());
        if (named.isPresent() && !named.get().isTextual()) {
            throw Refusal.invalid(List.of(new Violation(PROJECT_ID, "must be a string")));
        }
        return keyHolders.find(presented).compose(key -> {
            if (key.isPresent()) {
                TokenHolders.shown(presented)
                        .flatMap(AccessTokens::claimedProject)
                        .ifPresent(ofToken -> TokenHolders.refuseOtherProject(ofToken, key));
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
            throw Refusal.forbidden("The API key and projectId belong to different projects.");
        }
        return new KeyHolder(key.project(), ApiVariant.B, key.kind());
    }

    private Future<Caller> stranger(String projectId) {
        return ProjectId.parse(projectId)
                .map(id -> projects.find(database.reads(), id))
                .orElse(Future.succeededFuture(Optional.empty()))
                .map(found -> new Stranger(found.orElseThrow(() -> Refusal.notFound("There is no such project."))
                        .project()));
    }

    /** Nobody where there is no text to read: what is missing there, the handler says. */
    private Future<Caller> ofRefreshToken(Optional<ObjectNode> body) {
        var text = body.map(object -> object.get("refreshToken")).filter(JsonNode::isTextual);
        if (text.isEmpty()) {
            return Future.succeededFuture(new Nobody());
        }
        return refreshTokens
                .read(text.get().textValue())
                .map(token -> projects.find(database.reads(), token.project()))
                .orElse(Future.succeededFuture(Optional.empty()))
                .map(found ->
                        new Stranger(found.orElseThrow(RefreshTokens::refused).project()));
    }

    private Future<SignedIn> signedIn(Presented presented) {
        var shown = TokenHolders.shown(presented);
        if (shown.isEmpty()) {
            throw Refusal.unauthorized("An access token is needed, as Authorization: Bearer.");
        }
        return keyHolders.find(presented).compose(key -> tokenHolders.check(shown.get(), key));
    }

    private Future<SignedIn> ofDashboard(Presented presented) {
        if (TokenHolders.shown(presented).isEmpty()) {
            return keyHolders.find(presented).map(found -> {
                throw found.isEmpty()
                        ? Refusal.unauthorized("A dashboard user's access token is needed, as Authorization: Bearer.")
                        : Refusal.forbidden("An API key does not do here: a dashboard user's access token does.");
            });
        }
        return signedIn(presented).map(user -> {
            if (user.project().id().equals(ProjectId.SYSTEM)) {
                return user;
            }
            throw Refusal.forbidden("This is for dashboard users.");
        });
    }

    /** Whoever proves to be somebody else gets a 403, whoever proves nothing a 401. */
    private Future<KeyHolder> ofSecretKey(Presented presented, String needed) {
        return ofProject(presented, Optional.empty()).compose(found -> {
            if (found.isEmpty()) {
                return TokenHolders.shown(presented).isEmpty()
                        ? Future.failedFuture(Refusal.unauthorized("What is needed is " + needed + "."))
                        : signedIn(presented).map(user -> {
                            throw doesNotDo(needed);
                        });
            }
            return found.get() instanceof KeyHolder holder && holder.kind() == ApiKey.Kind.SECRET
                    ? Future.succeededFuture(holder)
                    : Future.failedFuture(doesNotDo(needed));
        });
    }

    private static RefusedException doesNotDo(String needed) {
        return Refusal.forbidden("This does not do here: what is needed is " + needed + ".");
    }

    private static RefusedException nothingShown() {
        return Refusal.unauthorized("An API key is needed, as x-api-key or as Authorization: Bearer.");
    }
}
