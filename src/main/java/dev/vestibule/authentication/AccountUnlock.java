package dev.vestibule.authentication;

import dev.vestibule.authentication.factor.Factors;
import dev.vestibule.mail.EmailCodes;
import dev.vestibule.mail.sms.SmsCodes;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;

/**
 * Manually unlocks an account after wrong tries from any network: password sign in, and the day's budgets of wrong
 * codes, which lock people out for just as long. Budgets of networks and projects stay.
 */
public final class AccountUnlock {
    private final SignInLockout lockout;
    private final EmailCodes codes;
    private final SmsCodes smsCodes;
    private final Factors factors;

    AccountUnlock(SignInLockout lockout, EmailCodes codes, SmsCodes smsCodes, Factors factors) {
        this.lockout = lockout;
        this.codes = codes;
        this.smsCodes = smsCodes;
        this.factors = factors;
    }

    public Future<Void> run(SqlClient transaction, User user) {
        return unlockEmail(transaction, user)
                .compose(cleared -> unlockNumber(transaction, user))
                .compose(cleared -> factors.forgetWrong(transaction, user.projectId(), user.id()));
    }

    private Future<Void> unlockEmail(SqlClient transaction, User user) {
        var email = user.email();
        return email == null
                ? Future.succeededFuture()
                : lockout.clear(transaction, user.projectId(), email)
                        .compose(cleared -> codes.forgetWrong(transaction, user.projectId(), email));
    }

    /** Someone else may own a number that is only in the profile. */
    private Future<Void> unlockNumber(SqlClient transaction, User user) {
        var phone = user.phone();
        return phone == null || !user.phoneVerified()
                ? Future.succeededFuture()
                : smsCodes.forgetWrong(transaction, user.projectId(), phone);
    }
}
