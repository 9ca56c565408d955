package dev.vestibule.authentication.password;

import dev.vestibule.authentication.SignInLockout;
import dev.vestibule.authentication.SignInLockout.WrongPassword;
import dev.vestibule.authentication.SignInStore.FailureKeys;
import dev.vestibule.authentication.SignInStore.SignInLookup;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.crypto.PasswordHasher.Outcome;
import dev.vestibule.crypto.PasswordHasher.ProjectHashes;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.Language;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Checks the password that a signed-in user enters again. A wrong one counts as a failed sign in, so that anyone who
 * finds an open session cannot guess here either.
 */
public final class CurrentPassword {
    /** The password is in canonical form. */
    public record Given(ProjectId project, UserId user, String email, Device device, SubmittedPassword password) {
        @Override
        public String toString() {
            return "Given[" + user + "]";
        }
    }

    private final SignInLockout lockout;
    private final PasswordHasher hasher;

    public CurrentPassword(SignInLockout lockout, PasswordHasher hasher) {
        this.lockout = lockout;
        this.hasher = hasher;
    }

    /** The stored hash, if the password matches it; empty if the account has no password. */
    public Future<Optional<String>> check(Given given) {
        return lockout.find(given.project(), given.email(), keys(given)).compose(lookup -> check(given, lookup));
    }

    private Future<Optional<String>> check(Given given, SignInLookup lookup) {
        refuseIfLocked(lookup);
        var stored = lookup.account()
                .filter(account -> account.user().id().equals(given.user()))
                .map(Account::passwordHash);
        return stored.isEmpty()
                ? Future.succeededFuture(stored)
                : hasher.verify(
                                new ProjectHashes(given.project().value(), lookup.costliestImport()),
                                stored.get(),
                                given.password())
                        .compose(result -> result.matches()
                                ? requireUnlocked(given).map(stored)
                                : refuse(given, result.outcome()));
    }

    /** Wrong passwords that were checked at the same time may have locked the account. */
    private Future<Void> requireUnlocked(Given given) {
        return lockout.find(given.project(), given.email(), keys(given)).map(lookup -> {
            refuseIfLocked(lookup);
            return null;
        });
    }

    private void refuseIfLocked(SignInLookup lookup) {
        lockout.error(lookup.lockedUntil()).ifPresent(error -> {
            throw error;
        });
    }

    private Future<Optional<String>> refuse(Given given, Outcome outcome) {
        var wrong = new WrongPassword(
                given.project(),
                given.email(),
                given.device(),
                Language.EN, // if the project names none
                Optional.of(given.user()),
                outcome == Outcome.UNVERIFIABLE ? "hash_too_large" : "wrong_current_password");
        return lockout.recordFailure(wrong, keys(given))
                .compose(error -> Future.failedFuture(error.orElseGet(() -> outcome == Outcome.UNVERIFIABLE
                        ? PasswordHasher.unverifiable()
                        : ApiException.of(ErrorCode.WRONG_PASSWORD, "The current password is wrong."))));
    }

    private FailureKeys keys(Given given) {
        return lockout.keys(given.project(), given.email(), given.device());
    }
}
