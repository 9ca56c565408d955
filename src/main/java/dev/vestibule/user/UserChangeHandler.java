package dev.vestibule.user;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.AccountUnlock;
import dev.vestibule.database.Database;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Mails;
import dev.vestibule.mail.Notice;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.UserStore.LinkedUser;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operations that change an existing user: the fields, and whether the user can sign in. One method per operation.
 */
public final class UserChangeHandler {
    /** Every other field affects who can sign in, or what an application allows the user to do. */
    private static final Set<String> HARMLESS = Set.of("projectId", "displayName", "avatarUrl");

    private static final int MAX_REASON = 500;

    private final Database database;
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final NewPasswords passwords;
    private final AccountUnlock unlock;
    private final EmailChanges emailChanges;
    private final MailOutbox mails;
    private final RecentSignIn recent;
    private final Clock clock;

    UserChangeHandler(
            Database database,
            SessionStore sessions,
            NewPasswords passwords,
            AccountUnlock unlock,
            Mails mails,
            RecentSignIn recent,
            Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.passwords = passwords;
        this.unlock = unlock;
        this.emailChanges = mails.changes();
        this.mails = mails.outbox();
        this.recent = recent;
        this.clock = clock;
    }

    private record UpdateRequest(
            UserChange change, @Nullable String password) {
        static UpdateRequest of(Fields fields, User user, NewPasswords passwords, Project project) {
            var change = UserChange.forManagement(fields, project);
            var email = change.email().isMade() ? change.email().value() : user.email();
            var displayName =
                    change.displayName().isMade() ? change.displayName().value() : user.displayName();
            return new UpdateRequest(
                    change,
                    fields.replacement("password", passwords.rule(email, displayName, project.name()))
                            .value());
        }

        @Override
        public String toString() {
            return "UpdateRequest";
        }
    }

    /**
     * {@code PATCH /v1/dashboard/users/:userId}: changes the given fields; a new password ends every session and every
     * lockout.
     */
    public Future<Reply> update(ApiRequest request) {
        var body = request.body();
        var given = Body.names(body);
        recent.requireForDashboardUser(request, given, HARMLESS);
        UserHandler.requireKeeperOfPrivateData(request, given);
        var trail = request.trail();
        var project = request.project();
        return users.find(database.reads(), project.id(), UserHandler.id(request))
                .map(found -> found.map(LinkedUser::managed).orElseThrow(UserErrors::notFound))
                .compose(user -> update(
                        trail,
                        given,
                        user,
                        Fields.readStrictly(body, fields -> UpdateRequest.of(fields, user.user(), passwords, project)),
                        project.language(null)))
                .map(user -> Reply.ok(request.canSeePrivateData() ? user : user.withoutPrivateMetadata()));
    }

    private Future<ManagedUser> update(
            Trail trail, List<String> given, ManagedUser found, UpdateRequest input, Language language) {
        if (!input.change().isMade() && input.password() == null) {
            return Future.succeededFuture(found);
        }
        var user = found.user();
        return refuseTakenEmail(user, input.change())
                .compose(free -> hashed(user.projectId(), input))
                .compose(change -> database.inTransaction(transaction -> lockForPassword(transaction, user, change)
                        .compose(held ->
                                users.updateManaged(transaction, user.projectId(), user.id(), change, clock.instant()))
                        .map(updated -> updated.orElseThrow(UserErrors::notFound))
                        .compose(updated -> forgetEmailChanges(transaction, user, updated))
                        .compose(updated -> record(trail, transaction, given, updated.user(), input, language)
                                .compose(recorded -> endSessionsOfPassword(transaction, updated.user(), change))
                                .map(updated))));
    }

    /** So that a concurrent sign in with the old password fails. */
    private Future<Void> lockForPassword(SqlConnection transaction, User user, UserChange change) {
        return change.passwordHash().isMade()
                ? users.lock(transaction, user.projectId(), user.id())
                        .compose(held -> sessions.lockAll(transaction, user.projectId(), user.id()))
                : Future.succeededFuture();
    }

    private Future<Void> endSessionsOfPassword(SqlConnection transaction, User user, UserChange change) {
        return change.passwordHash().isMade()
                ? sessions.endAll(transaction, user.projectId(), user.id(), EndReason.PASSWORD_CHANGED, clock.instant())
                        .compose(ended -> unlock.run(transaction, user))
                : Future.succeededFuture();
    }

    /** Tells users of a new password, but not from where it was set, which they must not learn. */
    private Future<Void> record(
            Trail trail,
            SqlConnection transaction,
            List<String> given,
            User updated,
            UpdateRequest input,
            Language language) {
        var details = Map.of("fields", given);
        return input.password() == null
                ? trail.record(transaction, Published.USER_UPDATED, updated, details)
                : trail.record(
                        transaction,
                        Noticed.USER_PASSWORD_SET,
                        updated,
                        details,
                        mails.to(updated, Notice.of(clock.instant(), Device.UNKNOWN), language));
    }

    /** Setting an email here overrides all codes and tokens that were mailed before. */
    private Future<ManagedUser> forgetEmailChanges(SqlConnection transaction, User before, ManagedUser updated) {
        return Objects.equals(before.email(), updated.user().email())
                ? Future.succeededFuture(updated)
                : emailChanges
                        .forget(transaction, before.projectId(), before.id())
                        .map(updated);
    }

    /** Saves the cost of a hash if the email is taken. The update itself decides. */
    private Future<Void> refuseTakenEmail(User user, UserChange change) {
        var email = change.email().value();
        if (email == null || email.equals(user.email())) {
            return Future.succeededFuture();
        }
        return users.emailIsTaken(database.reads(), user.projectId(), email)
                .compose(taken -> taken ? Future.failedFuture(UserErrors.emailTaken()) : Future.succeededFuture());
    }

    private Future<UserChange> hashed(ProjectId project, UpdateRequest input) {
        return input.password() == null
                ? Future.succeededFuture(input.change())
                : passwords.hash(project, "password", input.password()).map(input.change()::withPasswordHash);
    }

    /**
     * {@code PATCH /v1/dashboard/users/:userId/ban}: prevents the user from signing in, and ends every session at once.
     */
    public Future<Reply> ban(ApiRequest request) {
        return ban(request, UserHandler.id(request), null).map(banned -> Reply.success());
    }

    /**
     * {@code POST /v1/backend/users/:userId/ban}: like {@link #ban(ApiRequest)}, with a reason, and returns the
     * user.
     */
    public Future<Reply> banForBackend(ApiRequest request) {
        var reason = Fields.readStrictly(
                request.bodyOrEmpty(), fields -> fields.optional("reason", text -> Text.line(text, MAX_REASON)));
        return ban(request, UserHandler.id(request), reason).map(Reply::ok);
    }

    /** Returns the banned user. Records nothing if the user was banned already. */
    private Future<ManagedUser> ban(ApiRequest request, UserId user, @Nullable String reason) {
        var project = request.project().id();
        var trail = request.trail();
        var details = reason == null ? Map.<String, String>of() : Map.of("reason", reason);
        var now = clock.instant();
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                .map(found -> found.orElseThrow(UserErrors::notFound))
                .compose(account -> users.setBanned(transaction, project, user, true, now))
                .compose(banned -> banned.isEmpty()
                        ? Future.succeededFuture()
                        : trail.record(transaction, Published.USER_BANNED, banned.get(), details))
                .compose(recorded -> sessions.endAll(transaction, project, user, EndReason.BANNED, now))
                .compose(ended -> users.find(transaction, project, user))
                .map(found -> found.orElseThrow(UserErrors::notFound).managed()));
    }

    /** {@code PATCH /v1/dashboard/users/:userId/unban}: lets the user sign in again. */
    public Future<Reply> unban(ApiRequest request) {
        return unban(request, UserHandler.id(request)).map(unbanned -> Reply.success());
    }

    /** {@code POST /v1/backend/users/:userId/unban}: like {@link #unban(ApiRequest)}, and returns the user. */
    public Future<Reply> unbanForBackend(ApiRequest request) {
        return unban(request, UserHandler.id(request)).map(Reply::ok);
    }

    /** Returns the user, who can sign in again. */
    private Future<ManagedUser> unban(ApiRequest request, UserId user) {
        var project = request.project().id();
        var trail = request.trail();
        var now = clock.instant();
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(UserErrors::notFound))
                        .compose(account -> users.setBanned(transaction, project, user, false, now))
                        .compose(unbanned -> unbanned.isEmpty()
                                ? Future.succeededFuture()
                                : trail.record(transaction, Published.USER_UNBANNED, unbanned.get()))
                        .compose(recorded -> users.find(transaction, project, user)))
                .map(found -> found.orElseThrow(UserErrors::notFound).managed());
    }

    /** {@code POST /v1/dashboard/users/:userId/unlock}: lets the user sign in again after too many wrong attempts. */
    public Future<Reply> unlock(ApiRequest request) {
        var project = request.project().id();
        var user = UserHandler.id(request);
        var trail = request.trail();
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                        .map(found -> found.orElseThrow(UserErrors::notFound))
                        .compose(account -> unlock.run(transaction, account.user()))
                        .compose(
                                unlocked -> trail.record(transaction, Logged.USER_UNLOCKED, Target.user(user.value()))))
                .map(done -> Reply.success());
    }
}
