package dev.vestibule.authentication.passwordless;

import dev.vestibule.access.Floor;
import dev.vestibule.authentication.SignInModule;
import dev.vestibule.authentication.factor.FactorModule;
import dev.vestibule.authentication.phone.PhoneModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;

/** Builds sign in with a mailed code or link, and with a code by SMS. */
public final class PasswordlessModule {
    public final PasswordlessHandler operations;

    public PasswordlessModule(
            Floor floor,
            SessionModule sessions,
            TokenModule tokens,
            MailModule mail,
            FactorModule factors,
            PhoneModule phones,
            SignInModule signIns) {
        var database = floor.database();
        var clock = floor.clock();
        var mails = mail.mails;
        var owners = new EmailOwners(
                database, signIns.proof, factors.starts, mails.passwordless(), signIns.disposable, clock);
        var signIn = new PasswordlessSignIn(
                database,
                mails,
                owners,
                sessions.store,
                factors.challenges,
                signIns.refused,
                floor.meters().factors,
                clock);
        this.operations = new PasswordlessHandler(
                database,
                mails.passwordless(),
                signIn,
                owners,
                phones.signIn,
                factors.challenges,
                tokens.issuer,
                clock);
    }
}
