package dev.vestibule.user.key;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestedUser;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.Violation;
import dev.vestibule.http.AbandonedRequest;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Text;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.Notice;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.token.SignedTokens;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.key.UserKeyStore.KeyOrganization;
import dev.vestibule.user.key.UserKeyStore.Live;
import dev.vestibule.user.key.UserKeyStore.StoredKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** API keys of users: they themselves and servers manage them, back ends check them, and programs exchange them. */
public final class UserKeyHandler {
    private static final String ALGORITHM = "ES256";
    private static final int MAX_URI = 512;
    private static final Duration TOKEN_LIFETIME = Duration.ofMinutes(5);

    private final Database database;
    private final UserKeys keys;
    private final UserKeyStore store = new UserKeyStore();
    private final UserStore users = new UserStore();
    private final ActiveSessionStore sessions = new ActiveSessionStore();
    private final KeyChanges changes;
    private final EmailChanges notices;
    private final SignedTokens tokens;
    private final RecentSignIn recent;
    private final Clock clock;

    UserKeyHandler(
            Database database,
            UserKeys keys,
            KeyChanges changes,
            EmailChanges notices,
            SignedTokens tokens,
            Clock clock) {
        this.database = database;
        this.keys = keys;
        this.changes = changes;
        this.notices = notices;
        this.tokens = tokens;
        this.recent = new RecentSignIn(clock);
        this.clock = clock;
    }

    /** {@code GET …/api-keys} of the caller or a user: all keys, the oldest first. */
    public Future<Reply> list(ApiRequest request) {
        return RequestedUser.of(request)
                .find(database)
                .compose(user -> store.list(database.reads(), user.project().id(), KeyOwner.of(user.id())))
                .map(Reply::ok);
    }

    /** {@code POST …/api-keys} of the caller or a user: a new key, whose text is in the response, this once. */
    public Future<Reply> create(ApiRequest request) {
        var caller = request.userIfAny();
        caller.ifPresent(recent::require);
        var user = RequestedUser.of(request);
        var project = user.project();
        var fields = user.isCaller() ? request.fields(changes::read) : request.allFields(changes::read);
        return store.apiScopes(database.reads(), project.id())
                .map(apis -> requireKnown(
                        fields.scopes(),
                        apis.values().stream().flatMap(Collection::stream).toList()))
                .compose(known -> changes.create(
                        project,
                        KeyOwner.of(user.id()),
                        fields,
                        transaction -> lock(transaction, project.id(), user.id(), caller)
                                .mapEmpty(),
                        (transaction, details) -> recordCreated(request, transaction, user, details)))
                .map(Reply::created);
    }

    /** The key outlives the session and the password, so the user is told of it, and can undo it. */
    private Future<Void> recordCreated(
            ApiRequest request, SqlConnection transaction, RequestedUser owner, Map<String, ?> details) {
        if (!owner.isCaller()) {
            return request.trail()
                    .record(
                            transaction,
                            Logged.USER_KEY_CREATED,
                            KeyOwner.of(owner.id()).target(),
                            details);
        }
        var user = request.user().user();
        var notice = Notice.of(clock.instant(), request.device());
        return request.trail()
                .record(
                        transaction,
                        Noticed.OWN_KEY_CREATED,
                        user,
                        details,
                        notices.to(owner.project(), user, notice, request.language()));
    }

    private static List<String> requireKnown(List<String> scopes, List<String> known) {
        if (!known.containsAll(scopes)) {
            throw ApiException.invalid(List.of(new Violation("scopes", "must be scopes of the project's APIs")));
        }
        return scopes;
    }

    private Future<Account> lock(SqlConnection transaction, ProjectId project, UserId user, Optional<SignedIn> caller) {
        return caller.isPresent()
                ? sessions.lockAccount(
                        transaction, project, caller.get().token().session(), user, clock.instant())
                : users.lock(transaction, project, user)
                        .map(found -> found.filter(account -> !account.user().isBanned())
                                .orElseThrow(UserErrors::notFound));
    }

    /** {@code DELETE …/api-keys/:keyId} of the caller or a user: ends a key at once. */
    public Future<Reply> delete(ApiRequest request) {
        return changes.delete(
                        request.project(),
                        request.trail(),
                        KeyOwner.of(RequestedUser.of(request).id()),
                        request.pathId("keyId"),
                        transaction -> Future.succeededFuture(),
                        Logged.USER_KEY_DELETED)
                .map(deleted -> Reply.success());
    }

    private record Verified(
            boolean valid,
            @JsonProperty("key") StoredKey key,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            User user,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            KeyOrganization organization) {
        static Verified of(Live live) {
            return new Verified(true, live.key(), live.user(), live.organization());
        }
    }

    /** {@code POST /v1/backend/keys/verify}: whose key it is, and what it may do. */
    public Future<Reply> verify(ApiRequest request) {
        var text = request.allFields(fields -> fields.required("key", FieldType.token()));
        return keys.find(request.project().id(), text, () -> AbandonedRequest.is(request.context()))
                .map(found -> Reply.ok(found.<Object>map(Verified::of).orElse(Map.of("valid", false))));
    }

    private record Exchange(String key, @Nullable String audience) {
        @Override
        public String toString() {
            return "Exchange";
        }
    }

    /**
     * {@code POST /v1/auth/api-keys/token}: an OAuth access token of five minutes for the key, for back ends that
     * verify tokens on their own. The feed of revocations tells them when the key ends.
     */
    public Future<Reply> exchange(ApiRequest request) {
        var project = request.project().id();
        var given = request.fields(fields -> new Exchange(
                fields.required("key", FieldType.token()),
                fields.optional("audience", text -> Text.line(text, MAX_URI))));
        return keys.find(project, given.key(), () -> AbandonedRequest.is(request.context()))
                .map(found -> found.orElseThrow(() ->
                        ApiException.of(ErrorCode.INVALID_API_KEY, "The API key is invalid, expired or deleted.")))
                .compose(live -> token(project, live, given.audience()))
                .map(Reply::ok);
    }

    private Future<Map<String, Object>> token(ProjectId project, Live live, @Nullable String audience) {
        var scopes = audience == null
                ? Future.succeededFuture(live.key().scopes())
                : keys.scopesAt(project, live, audience)
                        .map(found -> found.orElseThrow(() -> ApiException.invalid(
                                List.of(new Violation("audience", "must be the URI of an API of the project")))));
        return scopes.compose(granted -> sign(project, live, granted, audience));
    }

    private Future<Map<String, Object>> sign(
            ProjectId project, Live live, List<String> scopes, @Nullable String audience) {
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var end = now.plus(TOKEN_LIFETIME);
        var keyEnd = live.key().expiresAt();
        var expiresAt = keyEnd != null && keyEnd.isBefore(end) ? keyEnd : end;
        var issuer = tokens.issuer(project);
        var key = live.key().id().toString();
        var claims = new LinkedHashMap<String, Object>();
        claims.put("iss", issuer);
        claims.putAll(UserKeys.subject(live));
        claims.put("aud", audience == null ? issuer : audience);
        claims.put("client_id", key);
        claims.put("scope", String.join(" ", scopes));
        claims.put("jti", key + "." + UUID.randomUUID());
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", expiresAt.getEpochSecond());
        return tokens.sign(project, ALGORITHM, SignedTokens.ACCESS_TOKEN, claims)
                .map(token -> Map.of(
                        "accessToken",
                        token,
                        "expiresIn",
                        Duration.between(now, expiresAt).toSeconds()));
    }
}
