package dev.vestibule.authentication;

import dev.vestibule.database.Database;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Fields;
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
import dev.vestibule.user.ManagedUser;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What those who manage users change of an account: its fields, and whether the user can sign in. */
public final class AccountChanges {
    private final Database database;
    private final UserStore users = new UserStore();
    private final SessionStore sessions;
    private final NewPasswords passwords;
    private final AccountUnlock unlock;
    private final EmailChanges emailChanges;
    private final MailOutbox mails;
    private final Clock clock;

    AccountChanges(
            Database database,
            SessionStore sessions,
            NewPasswords passwords,
            AccountUnlock unlock,
            Mails mails,
            Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.passwords = passwords;
        this.unlock = unlock;
        this.emailChanges = mails.changes();
        this.mails = mails.outbox();
        this.clock = clock;
    }

    /** A change of fields, and perhaps a password that is not hashed yet. */
    public record Update(UserChange change, @Nullable String password) {
        @Override
        public String toString() {
            return "Update";
        }
    }

    /** Reads it against the user and the rules of the project. */
    public Update read(Fields fields, User user, Project project) {
        var change = UserChange.forManagement(fields, project);
        var email = change.email().isMade() ? change.email().value() : user.email();
        var displayName = change.displayName().isMade() ? change.displayName().value() : user.displayName();
        return new Update(
                change,
                fields.replacement("password", passwords.rule(email, displayName, project.name()))
                        .value());
    }

    /** Changes the given fields; a new password ends every session and every lockout. */
    public Future<ManagedUser> update(
            Trail trail, List<String> given, ManagedUser found, Update input, Language language) {
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
            Trail trail, SqlConnection transaction, List<String> given, User updated, Update input, Language language) {
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

    private Future<UserChange> hashed(ProjectId project, Update input) {
        return input.password() == null
                ? Future.succeededFuture(input.change())
                : passwords.hash(project, "password", input.password()).map(input.change()::withPasswordHash);
    }

    /** Prevents the user from signing in, and ends every session. Records nothing if the user was banned already. */
    public Future<ManagedUser> ban(Trail trail, ProjectId project, UserId user, @Nullable String reason) {
        var details = reason == null ? Map.<String, String>of() : Map.of("reason", reason);
        var now = clock.instant();
        return database.inTransaction(transaction -> users.lockExisting(transaction, project, user)
                .compose(account -> users.setBanned(transaction, project, user, true, now))
                .compose(banned -> banned.isEmpty()
                        ? Future.succeededFuture()
                        : trail.record(transaction, Published.USER_BANNED, banned.get(), details))
                .compose(recorded -> sessions.endAll(transaction, project, user, EndReason.BANNED, now))
                .compose(ended -> find(transaction, project, user)));
    }

    /** Lets the user sign in again. */
    public Future<ManagedUser> unban(Trail trail, ProjectId project, UserId user) {
        var now = clock.instant();
        return database.inTransaction(transaction -> users.lockExisting(transaction, project, user)
                .compose(account -> users.setBanned(transaction, project, user, false, now))
                .compose(unbanned -> unbanned.isEmpty()
                        ? Future.succeededFuture()
                        : trail.record(transaction, Published.USER_UNBANNED, unbanned.get()))
                .compose(recorded -> find(transaction, project, user)));
    }

    /** Lets the user sign in again after too many wrong attempts. */
    public Future<Void> unlock(Trail trail, ProjectId project, UserId user) {
        return database.inTransaction(transaction -> users.lockExisting(transaction, project, user)
                .compose(account -> unlock.run(transaction, account.user()))
                .compose(unlocked -> trail.record(transaction, Logged.USER_UNLOCKED, Target.user(user.value()))));
    }

    private Future<ManagedUser> find(SqlConnection transaction, ProjectId project, UserId user) {
        return users.find(transaction, project, user)
                .map(found -> found.orElseThrow(UserErrors::notFound).managed());
    }
}
