package dev.vestibule.authentication.phone;

import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.factor.EnrolmentStarts;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.database.Database;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.mail.sms.SmsCodes;
import dev.vestibule.session.SessionStore;
import dev.vestibule.telemetry.metrics.FactorMeters;
import java.time.Clock;

/** Builds sign in and verification with phone numbers, from one set of collaborators. */
public final class PhoneModule {
    private final SmsCodes codes;
    private final SessionStore sessions;
    private final MfaChallenges challenges;
    private final EnrolmentStarts starts;
    private final EventOutbox events;
    private final MailOutbox mails;
    private final EmailChanges changes;
    private final FactorMeters meters;
    private final Clock clock;

    public PhoneModule(
            SmsCodes codes,
            SessionStore sessions,
            MfaChallenges challenges,
            EnrolmentStarts starts,
            EventOutbox events,
            MailOutbox mails,
            EmailChanges changes,
            FactorMeters meters,
            Clock clock) {
        this.codes = codes;
        this.sessions = sessions;
        this.challenges = challenges;
        this.starts = starts;
        this.events = events;
        this.mails = mails;
        this.changes = changes;
        this.meters = meters;
        this.clock = clock;
    }

    public SmsCodes codes() {
        return codes;
    }

    /** Sign in by SMS, for the endpoint that completes all sign ins without a password. */
    public SmsSignIn signIn(Database database) {
        return new SmsSignIn(database, codes, sessions, challenges, starts, events, mails, meters, clock);
    }

    public PhoneHandler operations(Database database) {
        var verification = new PhoneVerification(database, codes, sessions, events, changes, clock);
        return new PhoneHandler(signIn(database), verification, codes, new RecentSignIn(clock));
    }
}
