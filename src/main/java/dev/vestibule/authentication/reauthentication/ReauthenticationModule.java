package dev.vestibule.authentication.reauthentication;

import dev.vestibule.access.Floor;
import dev.vestibule.authentication.SignInModule;
import dev.vestibule.authentication.factor.FactorModule;
import dev.vestibule.authentication.passkey.PasskeyModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;

/** Builds reauthentication with each way to sign in. */
public final class ReauthenticationModule {
    public final ReauthenticationHandler operations;

    public ReauthenticationModule(
            Floor floor,
            SessionModule sessions,
            TokenModule tokens,
            MailModule mail,
            FactorModule factors,
            PasskeyModule passkeys,
            SignInModule signIns) {
        this.operations = new ReauthenticationHandler(new Reauthentication(
                floor.database(),
                signIns.currentPassword,
                passkeys.proof,
                factors.factors,
                mail.mails.passwordless(),
                sessions.store,
                tokens.issuer,
                floor.clock()));
    }
}
