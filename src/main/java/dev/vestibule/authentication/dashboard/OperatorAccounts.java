package dev.vestibule.authentication.dashboard;

import dev.vestibule.authentication.AccountUnlock;
import dev.vestibule.authentication.EmailProof;
import dev.vestibule.config.Secret;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.error.Violation;
import dev.vestibule.journal.Actor;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Fact.Noticed;
import dev.vestibule.journal.Journal;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.Notice;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.SystemProject;
import dev.vestibule.session.Device;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.SessionStore;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.NewUser;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The operator's changes to dashboard accounts, from the configuration or a command; the rules for emails and passwords
 * are those of sign up. Users of other projects are never changed.
 */
public final class OperatorAccounts {
    private final Database database;
    private final UserStore users = new UserStore();
    private final EmailProof proof;
    private final SessionStore sessions;
    private final AccountUnlock unlock;
    private final NewPasswords passwords;
    private final MailOutbox mails;
    private final Trail trail;
    private final Clock clock;

    public OperatorAccounts(
            Database database,
            EmailProof proof,
            SessionStore sessions,
            AccountUnlock unlock,
            NewPasswords passwords,
            MailOutbox mails,
            Journal journal,
            Clock clock) {
        this.database = database;
        this.proof = proof;
        this.sessions = sessions;
        this.unlock = unlock;
        this.passwords = passwords;
        this.mails = mails;
        this.trail = new Trail(journal, ProjectId.SYSTEM, Actor.SYSTEM);
        this.clock = clock;
    }

    /**
     * Empty if the email has an account, which stays as it is. The operator vouches for the email, so it counts as
     * proved.
     */
    public Future<Optional<User>> create(String givenEmail, Secret password) {
        var email = read("email", () -> UserFields.email(givenEmail));
        return users.emailIsTaken(database.reads(), ProjectId.SYSTEM, email)
                .compose(taken -> taken
                        ? Future.succeededFuture(Optional.empty())
                        : hash(email, password)
                                .compose(hash ->
                                        database.inTransaction(transaction -> insert(transaction, email, hash))));
    }

    private Future<Optional<User>> insert(SqlConnection transaction, String email, String hash) {
        return users.insert(
                        transaction, ProjectId.SYSTEM, new NewUser(UserId.next(), email, null, hash, clock.instant()))
                .compose(inserted -> inserted.isEmpty()
                        ? Future.succeededFuture(inserted)
                        : users.update(
                                        transaction,
                                        ProjectId.SYSTEM,
                                        inserted.get().id(),
                                        UserChange.none().withEmailVerified(),
                                        clock.instant())
                                .compose(verified -> trail.record(
                                                transaction,
                                                Logged.USER_CREATED,
                                                inserted.get().target())
                                        .map(verified)));
    }

    /**
     * Sets the password, ends every session and removes its locks; empty if the email has no account. The operator
     * vouches for the person who gets the password, so this counts as proof of the email: anyone else who created the
     * account is locked out.
     */
    public Future<Optional<User>> resetPassword(String givenEmail, Secret password) {
        var email = read("email", () -> UserFields.email(givenEmail));
        return users.idOf(database.reads(), ProjectId.SYSTEM, email)
                .compose(user -> user.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : hash(email, password)
                                .compose(hash -> database.inTransaction(
                                        transaction -> reset(transaction, user.get(), email, hash))));
    }

    private Future<Optional<User>> reset(SqlConnection transaction, UserId user, String email, String hash) {
        return users.lock(transaction, ProjectId.SYSTEM, user)
                .map(account -> account.map(Account::user).filter(found -> email.equals(found.email())))
                .compose(owner -> owner.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : set(transaction, owner.get(), hash).map(Optional::of));
    }

    private Future<User> set(SqlConnection transaction, User owner, String hash) {
        var now = clock.instant();
        return sessions.endAll(transaction, ProjectId.SYSTEM, owner.id(), EndReason.PASSWORD_CHANGED, now)
                .compose(ended -> proof.accept(
                        trail, transaction, owner, UserChange.none().withPasswordHash(hash), now))
                .compose(changed -> unlock.run(transaction, changed).map(changed))
                .compose(changed -> trail.record(
                                transaction,
                                Noticed.PASSWORD_RESET,
                                changed,
                                Map.of(),
                                mails.to(changed, Notice.of(now, Device.UNKNOWN), Language.EN))
                        .map(changed));
    }

    private Future<String> hash(String email, Secret password) {
        var allowed = read(
                "password",
                () -> passwords.rule(email, null, SystemProject.NAME).read(password.reveal()));
        return passwords.hash(ProjectId.SYSTEM, "password", allowed);
    }

    private static String read(String field, Supplier<String> rule) {
        try {
            return rule.get();
        } catch (InvalidValueException invalid) {
            throw ApiException.invalid(List.of(new Violation(field, String.valueOf(invalid.getMessage()))));
        }
    }
}
