package dev.vestibule.authentication.passwordless;

import dev.vestibule.authentication.EmailProof;
import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.database.Database;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.error.ApiException;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Trail;
import dev.vestibule.mail.PasswordlessMails;
import dev.vestibule.mail.PasswordlessMails.Proof;
import dev.vestibule.project.Project;
import dev.vestibule.session.Authentication;
import dev.vestibule.user.Account;
import dev.vestibule.user.DisposableEmails;
import dev.vestibule.user.User;
import dev.vestibule.user.UserChange;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserStore.ProviderUser;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** Finds or creates the account of a person who has proved an email with a code or link, and uses up that proof. */
final class EmailOwners {
    private static final int MAX_ATTEMPTS = 4;

    private final Database database;
    private final UserStore users = new UserStore();
    private final EmailProof emails;
    private final PasswordlessMails mails;
    private final EnrolmentStarts starts;
    private final DisposableEmails disposable;
    private final Clock clock;

    EmailOwners(
            Database database,
            EmailProof emails,
            EnrolmentStarts starts,
            PasswordlessMails mails,
            DisposableEmails disposable,
            Clock clock) {
        this.database = database;
        this.emails = emails;
        this.mails = mails;
        this.starts = starts;
        this.disposable = disposable;
        this.clock = clock;
    }

    /** The outcome of a right code or link, which is used up in either case: a result, or a refusal. */
    private record Outcome<T>(Optional<T> result, Optional<ApiException> refusal) {
        static <T> Outcome<T> refused(ApiException refusal) {
            return new Outcome<>(Optional.empty(), Optional.of(refusal));
        }
    }

    /** Another request has changed the account in the meantime. */
    private static final class ConcurrentChangeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ConcurrentChangeException() {
            super(null, null, false, false);
        }
    }

    /**
     * Whether an email without an account gets one. If the project refuses its domain, it gets no mail either, and the
     * same response as any other; an account that it already has can sign in.
     */
    boolean canSignUp(Project project, String email) {
        return project.factors().passwordlessSignUp() && !disposable.isRefused(project, email);
    }

    /**
     * In one transaction, locks the account, uses up the proof, and runs {@code work} on the account. Fails with
     * {@code wrong} if the proof was used in the meantime, and with a 403 for a banned user or one with a second
     * factor. One-time passwords are left to {@code work} if no password can come before them.
     */
    <T> Future<T> withAccount(
            Project project,
            Trail trail,
            Proof proof,
            ApiException wrong,
            BiFunction<SqlConnection, Account, Future<T>> work) {
        return retryConflicts(project, trail, proof, wrong, work, MAX_ATTEMPTS)
                .map(outcome -> outcome.result().orElseThrow(outcome.refusal()::orElseThrow));
    }

    private <T> Future<Outcome<T>> retryConflicts(
            Project project,
            Trail trail,
            Proof proof,
            ApiException wrong,
            BiFunction<SqlConnection, Account, Future<T>> work,
            int attemptsLeft) {
        return database.inTransaction(transaction -> tryOnce(transaction, project, trail, proof, wrong, work))
                .recover(failure -> {
                    if (!(failure instanceof ConcurrentChangeException) && !SqlFailures.isRace(failure)) {
                        return Future.failedFuture(failure);
                    }
                    return attemptsLeft > 1
                            ? retryConflicts(project, trail, proof, wrong, work, attemptsLeft - 1)
                            : Future.failedFuture(UserErrors.beingChanged());
                });
    }

    private <T> Future<Outcome<T>> tryOnce(
            SqlConnection transaction,
            Project project,
            Trail trail,
            Proof proof,
            ApiException wrong,
            BiFunction<SqlConnection, Account, Future<T>> work) {
        return lock(transaction, proof)
                .compose(account -> mails.take(transaction, proof)
                        .compose(isTaken -> isTaken && (account.isPresent() || proof.signsUp())
                                ? account.map(found -> prove(transaction, project, trail, found))
                                        .orElseGet(() -> create(transaction, project, trail, proof))
                                        .compose(proved -> finish(transaction, project, proved, work))
                                : Future.succeededFuture(Outcome.refused(wrong))));
    }

    private Future<Optional<Account>> lock(SqlConnection transaction, Proof proof) {
        return users.idOf(transaction, proof.project(), proof.email())
                .compose(id -> id.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : users.lock(transaction, proof.project(), id.get())
                                .map(found -> found.filter(account -> proof.email()
                                                .equals(account.user().email()))
                                        .or(() -> {
                                            throw new ConcurrentChangeException();
                                        })));
    }

    private static <T> Future<Outcome<T>> finish(
            SqlConnection transaction,
            Project project,
            Account account,
            BiFunction<SqlConnection, Account, Future<T>> work) {
        if (account.user().isBanned()) {
            return Future.succeededFuture(Outcome.refused(UserErrors.banned()));
        }
        return switch (account.secondFactor(project)) {
            case TOTP ->
                account.user().emailVerified() && !account.user().canHavePassword(project)
                        ? run(transaction, account, work)
                        : Future.succeededFuture(Outcome.refused(UserErrors.factorRequired()));
            case PASSKEY -> Future.succeededFuture(Outcome.refused(UserErrors.passkeyRequired()));
            case NONE -> run(transaction, account, work);
        };
    }

    private static <T> Future<Outcome<T>> run(
            SqlConnection transaction, Account account, BiFunction<SqlConnection, Account, Future<T>> work) {
        return work.apply(transaction, account).map(result -> new Outcome<>(Optional.of(result), Optional.empty()));
    }

    /**
     * Someone else may have created the account; it is read again, since the first proof removes what they left there.
     * But an email that management has changed or marked unverified proves nothing without the factor that is held.
     */
    private Future<Account> prove(SqlConnection transaction, Project project, Trail trail, Account account) {
        var user = account.user();
        if (user.isBanned()
                || user.emailVerified()
                || (user.secondFactors().areHeld() && account.hasSecondFactor(project))) {
            return Future.succeededFuture(account);
        }
        return emails.accept(
                        byOwner(trail, user),
                        transaction,
                        user,
                        UserChange.none().withoutPassword(),
                        clock.instant())
                .compose(proved -> users.lock(transaction, user.projectId(), user.id()))
                .map(found -> found.orElseThrow(ConcurrentChangeException::new));
    }

    /** If the request has the key of the application's server, that server acts, not the user. */
    private static Trail byOwner(Trail trail, User user) {
        return trail.actor().id() == null ? trail.as(user.id().value()) : trail;
    }

    /** The later of two concurrent requests finds the user that the other one created. */
    private Future<Account> create(SqlConnection transaction, Project project, Trail trail, Proof proof) {
        var now = clock.instant();
        var user = new ProviderUser(UserId.next(), proof.email(), true, null, null, now);
        return users.insert(transaction, proof.project(), user)
                .map(inserted -> inserted.orElseThrow(ConcurrentChangeException::new))
                .compose(created -> starts.resume(transaction, project, created, List.of()))
                .compose(created -> recordSignUp(transaction, project, byOwner(trail, created), created)
                        .map(recorded -> new Account(created, null)));
    }

    private Future<Void> recordSignUp(SqlConnection transaction, Project project, Trail trail, User created) {
        return trail.record(transaction, Published.SIGNED_UP, created, Map.of("amr", List.of(Authentication.MAIL)))
                .compose(recorded -> disposable.flag(transaction, project, trail, created));
    }
}
