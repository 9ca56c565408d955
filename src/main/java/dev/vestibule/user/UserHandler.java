package dev.vestibule.user;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.AccountChanges;
import dev.vestibule.authentication.AccountDeletion;
import dev.vestibule.authentication.SignInLockout;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import dev.vestibule.http.Body;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Page;
import dev.vestibule.json.Text;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Session;
import dev.vestibule.session.SessionListStore;
import dev.vestibule.user.UserListRequest.UserFilter;
import dev.vestibule.user.UserListStore.UserPage;
import dev.vestibule.user.imports.UserCreation;
import dev.vestibule.user.imports.UserCreation.Result;
import dev.vestibule.user.imports.UserToCreate;
import dev.vestibule.user.imports.UserToCreateFields;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Users, {@code /v1/dashboard/users} and {@code /v1/backend/users}: one method per operation. */
public final class UserHandler {
    /** Every other field affects who can sign in, or what an application allows the user to do. */
    private static final Set<String> HARMLESS = Set.of("projectId", "displayName", "avatarUrl");

    private static final int MAX_REASON = 500;
    private static final Page ALL =
            new Page(1000, 0); // at most 100 of their own, and one for each owner who impersonates them

    private final Database database;
    private final UserStore users = new UserStore();
    private final UserSearch search;
    private final SessionListStore sessions = new SessionListStore();
    private final SignInLockout lockout;
    private final UserToCreateFields rules;
    private final UserCreation accounts;
    private final AccountChanges changes;
    private final AccountDeletion deletion;
    private final RecentSignIn recent;
    private final Clock clock;

    UserHandler(
            Database database,
            UserSearch search,
            SignInLockout lockout,
            UserToCreateFields rules,
            UserCreation accounts,
            AccountChanges changes,
            AccountDeletion deletion,
            Clock clock) {
        this.database = database;
        this.search = search;
        this.lockout = lockout;
        this.rules = rules;
        this.accounts = accounts;
        this.changes = changes;
        this.deletion = deletion;
        this.recent = new RecentSignIn(clock);
        this.clock = clock;
    }

    private record ItemPage(
            List<UserItem> users, long total, @Nullable String nextCursor) {}

    /** {@code GET /v1/dashboard/users}: a page of the project's users, or of those that match a search and filters. */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project().id();
        var input = request.query(
                fields -> UserListRequest.read(fields, project, UserFilter.read(fields), Query.page(fields), "offset"));
        return search.find(input)
                .compose(page -> lockedUntil(project, page.users().stream().map(ManagedUser::user))
                        .map(locks -> Reply.ok(items(input, page, locks))));
    }

    private static ItemPage items(UserListRequest input, UserPage page, Map<String, Instant> locks) {
        return new ItemPage(
                page.users().stream()
                        .map(managed -> UserItem.of(managed.user(), locks))
                        .toList(),
                page.total(),
                input.textOf(page.end()));
    }

    private record NumberedRequest(UserListRequest list, int page) {
        static NumberedRequest read(Fields fields, ProjectId project) {
            var limit = Query.limit(fields);
            var page =
                    Objects.requireNonNullElse(fields.optional("page", Query.integer(1, Integer.MAX_VALUE / limit)), 1);
            return new NumberedRequest(
                    UserListRequest.read(fields, project, UserFilter.NONE, new Page(limit, (page - 1) * limit), "page"),
                    page);
        }
    }

    private record NumberedPage(
            List<ManagedUser> data,
            long total,
            int page,
            int limit,
            @Nullable String nextCursor) {}

    /** {@code GET /v1/backend/users}: like {@link #list(ApiRequest)}, but with numbered pages and each user in full. */
    public Future<Reply> listForBackend(ApiRequest request) {
        var project = request.project().id();
        var input = request.query(fields -> NumberedRequest.read(fields, project));
        return search.find(input.list()).map(page -> Reply.ok(numbered(input, page)));
    }

    private static NumberedPage numbered(NumberedRequest input, UserPage page) {
        return new NumberedPage(
                page.users(),
                page.total(),
                input.page(),
                input.list().page().limit(),
                input.list().textOf(page.end()));
    }

    /** {@code GET /v1/dashboard/users/:userId}: the user, the linked identity providers and the active sessions. */
    public Future<Reply> get(ApiRequest request) {
        return get(request.project().id(), id(request), request.canSeePrivateData());
    }

    /** {@code GET /v1/backend/users/by-external-id/:externalId}: the user with the application's own id. */
    public Future<Reply> getByExternalId(ApiRequest request) {
        var project = request.project().id();
        return users.idOfExternal(database.reads(), project, externalId(request))
                .compose(found -> get(project, found.orElseThrow(UserErrors::notFound), true));
    }

    /** A 404 for an id that no user can have. */
    private static String externalId(ApiRequest request) {
        try {
            return UserFields.externalId(request.pathParam("externalId"));
        } catch (InvalidValueException impossible) {
            throw UserErrors.notFound();
        }
    }

    private record Found(
            @JsonUnwrapped ManagedUser user,
            List<String> providers,
            List<Session> sessions,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Instant lockedUntil) {}

    private Future<Reply> get(ProjectId project, UserId user, boolean withPrivate) {
        var active = sessions.listForUser(database.reads(), project, user, clock.instant(), ALL);
        return users.find(database.reads(), project, user)
                .map(found -> found.orElseThrow(UserErrors::notFound))
                .compose(linked -> lockedUntil(project, Stream.of(linked.user()))
                        .compose(locked -> active.map(listed -> Reply.ok(new Found(
                                withPrivate
                                        ? linked.managed()
                                        : linked.managed().withoutPrivateMetadata(),
                                linked.providers(),
                                listed,
                                linked.user().email() == null
                                        ? null
                                        : locked.get(linked.user().email()))))));
    }

    /** By the emails of the users who are locked out. */
    private Future<Map<String, Instant>> lockedUntil(ProjectId project, Stream<User> listed) {
        return lockout.lockedUntil(
                database.reads(), project, listed.map(User::email).filter(Objects::nonNull));
    }

    /** {@code POST /v1/dashboard/users}: creates a user, optionally with the password hash of another system. */
    public Future<Reply> create(ApiRequest request) {
        var now = clock.instant();
        var project = request.project();
        var body = request.body();
        requireKeeperOfPrivateData(request, Body.names(body));
        var account = Fields.readStrictly(body, fields -> {
            fields.optional("provider", rules::signInMethod); // links nothing: an identity needs its subject
            return rules.read(fields, project, now);
        });
        var trail = request.trail();
        return accounts.create(
                        project.id(), List.of(account), (transaction, created) -> record(trail, transaction, created))
                .map(results -> Reply.created(created(results.get(0), account)));
    }

    private static Future<Void> record(Trail trail, SqlConnection transaction, List<UserId> created) {
        return trail.record(
                transaction, Logged.USER_CREATED, Target.user(created.get(0).value()));
    }

    private static ManagedUser created(Result result, UserToCreate account) {
        var user = result.user();
        if (user == null) {
            throw switch (result.outcome()) {
                case ID_TAKEN -> ApiException.of(ErrorCode.USER_ID_TAKEN, "Another user has this id.");
                case EXTERNAL_ID_TAKEN -> UserErrors.externalIdTaken();
                case IDENTITY_TAKEN ->
                    ApiException.of(ErrorCode.IDENTITY_TAKEN, "Another user has one of the identities.");
                case ISSUER_UNKNOWN ->
                    ApiException.invalid(List.of(new Violation(
                            "identities", "must name their issuer, or the provider must be set up before")));
                case PHONE_TAKEN ->
                    ApiException.of(
                            ErrorCode.PHONE_TAKEN,
                            "Another user has verified this number, so neither of the two could sign in by SMS.");
                default -> exists(account);
            };
        }
        return user;
    }

    private static ApiException exists(UserToCreate account) {
        if (account.email() != null) {
            return UserErrors.emailTaken();
        }
        return account.isKnownByExternalId()
                ? UserErrors.externalIdTaken()
                : ApiException.of(ErrorCode.USER_ID_TAKEN, "A user with this id or one of these identities exists.");
    }

    /**
     * {@code DELETE /v1/dashboard/users/:userId}: deletes the user and all their data; the email can be registered
     * again.
     */
    public Future<Reply> delete(ApiRequest request) {
        var project = request.project().id();
        var user = id(request);
        var trail = request.trail();
        return database.inTransaction(transaction -> users.lockExisting(transaction, project, user)
                        .compose(account -> deletion.run(trail, transaction, account.user(), Published.USER_DELETED)))
                .map(deleted -> Reply.success());
    }

    /**
     * {@code PATCH /v1/dashboard/users/:userId}: changes the given fields; a new password ends every session and every
     * lockout.
     */
    public Future<Reply> update(ApiRequest request) {
        var body = request.body();
        var given = Body.names(body);
        recent.requireForDashboardUser(request, given, HARMLESS);
        requireKeeperOfPrivateData(request, given);
        var trail = request.trail();
        var project = request.project();
        return users.find(database.reads(), project.id(), id(request))
                .map(found -> found.orElseThrow(UserErrors::notFound).managed())
                .compose(user -> changes.update(
                        trail,
                        given,
                        user,
                        Fields.readStrictly(body, fields -> changes.read(fields, user.user(), project)),
                        project.language(null)))
                .map(user -> Reply.ok(request.canSeePrivateData() ? user : user.withoutPrivateMetadata()));
    }

    /**
     * {@code PATCH /v1/dashboard/users/:userId/ban}: prevents the user from signing in, and ends every session at once.
     */
    public Future<Reply> ban(ApiRequest request) {
        return changes.ban(request.trail(), request.project().id(), id(request), null)
                .map(banned -> Reply.success());
    }

    /**
     * {@code POST /v1/backend/users/:userId/ban}: like {@link #ban(ApiRequest)}, with a reason, and returns the user.
     */
    public Future<Reply> banForBackend(ApiRequest request) {
        var reason = Fields.readStrictly(
                request.bodyOrEmpty(), fields -> fields.optional("reason", text -> Text.line(text, MAX_REASON)));
        return changes.ban(request.trail(), request.project().id(), id(request), reason)
                .map(Reply::ok);
    }

    /** {@code PATCH /v1/dashboard/users/:userId/unban}: lets the user sign in again. */
    public Future<Reply> unban(ApiRequest request) {
        return unbanned(request).map(unbanned -> Reply.success());
    }

    /** {@code POST /v1/backend/users/:userId/unban}: like {@link #unban(ApiRequest)}, and returns the user. */
    public Future<Reply> unbanForBackend(ApiRequest request) {
        return unbanned(request).map(Reply::ok);
    }

    private Future<ManagedUser> unbanned(ApiRequest request) {
        return changes.unban(request.trail(), request.project().id(), id(request));
    }

    /** {@code POST /v1/dashboard/users/:userId/unlock}: lets the user sign in again after too many wrong attempts. */
    public Future<Reply> unlock(ApiRequest request) {
        return changes.unlock(request.trail(), request.project().id(), id(request))
                .map(done -> Reply.success());
    }

    /** Only those who may read private metadata may set it. */
    private static void requireKeeperOfPrivateData(ApiRequest request, List<String> given) {
        if (given.contains("privateMetadata") && !request.canSeePrivateData()) {
            throw ApiException.of(
                    ErrorCode.ROLE_NOT_ALLOWED,
                    "A member with the role " + request.role().text() + " cannot set privateMetadata.");
        }
    }

    private static UserId id(ApiRequest request) {
        return new UserId(request.pathId("userId"));
    }

    /** A user in a list. */
    private record UserItem(
            UserId id,
            @Nullable String email,
            @Nullable String displayName,
            @Nullable String avatarUrl,
            boolean isBanned,
            @Nullable Instant lockedUntil,
            int signInCount,
            @Nullable Instant lastSignInAt,
            Instant createdAt) {
        static UserItem of(User user, Map<String, Instant> locks) {
            return new UserItem(
                    user.id(),
                    user.email(),
                    user.displayName(),
                    user.avatarUrl(),
                    user.isBanned(),
                    user.email() == null ? null : locks.get(user.email()),
                    user.signInCount(),
                    user.lastSignInAt(),
                    user.createdAt());
        }
    }
}
