package dev.vestibule.authentication.password;

import dev.vestibule.authentication.password.CurrentPassword.Given;
import dev.vestibule.crypto.SubmittedPassword;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.project.Project;
import dev.vestibule.session.Device;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserErrors;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Proof that the person behind a session owns the account, for operations for which an open session is not enough: the
 * current password or, for an account without one or in a project without passwords, a recent sign in.
 */
public final class OwnerProof {
    private final CurrentPassword currentPassword;

    public OwnerProof(CurrentPassword currentPassword) {
        this.currentPassword = currentPassword;
    }

    /**
     * What was proved before the transaction that needs it: the stored hash that the password matched, if any, and
     * whether passwords count in this project.
     */
    public record Proved(Optional<String> hash, boolean countsPasswords) {
        /**
         * Checks that it still holds for the account, which the transaction has locked: a 422 if the password is
         * missing; for an account without one, the last argument throws unless the sign in is recent.
         */
        public void requireFor(Account account, Runnable requireRecentSignIn) {
            var stored = countsPasswords ? account.passwordHash() : null;
            if (stored == null && hash.isPresent()) {
                throw UserErrors.beingChanged(); // the proof is no longer valid
            } else if (stored == null) {
                requireRecentSignIn.run();
            } else if (hash.isEmpty()) {
                throw ApiException.invalid(List.of(new Violation("currentPassword", "is required")));
            } else if (!stored.equals(hash.get())) {
                throw UserErrors.beingChanged();
            }
        }

        @Override
        public String toString() {
            return "Proved";
        }
    }

    /** Checks the password if one is given; a wrong one is a 401 and counts as a failed sign in. */
    public Future<Proved> check(Project project, User user, Device device, @Nullable SubmittedPassword password) {
        var email = user.email();
        var countsPasswords = project.factors().password();
        return password == null || email == null || !countsPasswords
                ? Future.succeededFuture(new Proved(Optional.empty(), countsPasswords))
                : currentPassword
                        .check(new Given(user.projectId(), user.id(), email, device, password))
                        .map(hash -> new Proved(hash, true));
    }
}
