package dev.vestibule.authentication.passwordless;

import dev.vestibule.authentication.EmailProof;
import dev.vestibule.authentication.RefusedAttempts;
import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.authentication.phone.SmsSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.PasswordlessMails;
import dev.vestibule.session.SessionStore;
import dev.vestibule.telemetry.metrics.FactorMeters;
import dev.vestibule.token.TokenIssuer;
import java.time.Clock;

/** Builds what this package offers, from one set of collaborators. */
public record PasswordlessModule(
        PasswordlessMails mails,
        SessionStore sessions,
        MfaChallenges challenges,
        EnrolmentStarts starts,
        EventOutbox events,
        MailOutbox notices,
        TokenIssuer tokens,
        RefusedAttempts refused,
        FactorMeters meters,
        Clock clock) {

    public PasswordlessHandler operations(Database database, EmailProof proof, SmsSignIn bySms) {
        var owners = new EmailOwners(database, proof, events, mails, starts, clock);
        var signIn = new PasswordlessSignIn(
                database, mails, owners, sessions, challenges, notices, tokens, refused, meters, clock);
        return new PasswordlessHandler(database, mails, signIn, owners, bySms, challenges, tokens, clock);
    }
}
