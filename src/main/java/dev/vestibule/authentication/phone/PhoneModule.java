package dev.vestibule.authentication.phone;

import dev.vestibule.access.Floor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.factor.FactorModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.mail.sms.SmsModule;
import dev.vestibule.session.SessionModule;

/** Builds sign in and verification with phone numbers. */
public final class PhoneModule {
    /** Sign in by SMS, for the endpoint that completes all sign ins without a password. */
    public final SmsSignIn signIn;

    public final PhoneHandler operations;

    public PhoneModule(Floor floor, SessionModule sessions, MailModule mail, SmsModule sms, FactorModule factors) {
        var database = floor.database();
        var clock = floor.clock();
        this.signIn = new SmsSignIn(
                database,
                sms.codes,
                sessions.store,
                factors.challenges,
                factors.starts,
                mail.mails.outbox(),
                floor.meters().factors,
                clock);
        var verification = new PhoneVerification(database, sms.codes, sessions.store, mail.mails.changes(), clock);
        this.operations = new PhoneHandler(signIn, verification, sms.codes, new RecentSignIn(clock));
    }
}
