package dev.vestibule.authentication;

import dev.vestibule.authentication.password.PasswordChange;
import dev.vestibule.authentication.password.PasswordReset;
import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.database.Database;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.mail.MailModule;
import dev.vestibule.oauth.identity.IdentityStore;
import dev.vestibule.session.SessionChanges;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.UserStore;
import java.time.Clock;

/** Builds what this package offers, from one set of collaborators. */
public record AuthenticationModule(
        PasswordSignUp signUp,
        PasswordSignIn signIn,
        PasswordReset reset,
        PasswordChange change,
        FailedSignIns failures) {
    public static AuthenticationModule create(
            Database database,
            UserStore users,
            SessionChanges sessions,
            EventOutbox events,
            PasswordHasher hasher,
            TokenIssuer tokens,
            KeyedHash emailHash,
            MailModule mails,
            LimitSettings limits,
            Clock clock) {
        var accounts = new AccountStore();
        var failures = new FailedSignIns(database, accounts, emailHash, limits, clock);
        return new AuthenticationModule(
                new PasswordSignUp(database, users, sessions, events, hasher, tokens, mails.outbox(), clock),
                new PasswordSignIn(
                        database, accounts, users, sessions, failures, hasher, tokens, mails.outbox(), clock),
                new PasswordReset(
                        database, users, new IdentityStore(), sessions, events, failures, mails.codes(), hasher, clock),
                new PasswordChange(database, accounts, users, sessions, events, failures, hasher, clock),
                failures);
    }
}
