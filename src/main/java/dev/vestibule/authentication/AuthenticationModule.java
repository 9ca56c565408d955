package dev.vestibule.authentication;

import dev.vestibule.access.Floor;
import dev.vestibule.authentication.dashboard.DashboardModule;
import dev.vestibule.authentication.factor.FactorModule;
import dev.vestibule.authentication.passkey.PasskeyModule;
import dev.vestibule.authentication.passwordless.PasswordlessModule;
import dev.vestibule.authentication.phone.PhoneModule;
import dev.vestibule.authentication.reauthentication.ReauthenticationModule;
import dev.vestibule.authentication.wallet.WalletModule;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.mail.sms.SmsModule;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.password.PasswordModule;

/** Builds all ways to sign in except providers: the modules of the rooms below, which share their flows. */
public final class AuthenticationModule {
    public final SignInModule signIns;
    public final FactorModule factors;
    public final PhoneModule phones;
    public final PasskeyModule passkeys;
    public final WalletModule wallets;
    public final PasswordlessModule passwordless;
    public final ReauthenticationModule reauthentication;
    public final DashboardModule dashboard;

    public AuthenticationModule(
            Floor floor,
            JournalModule journal,
            SessionModule sessions,
            TokenModule tokens,
            PasswordModule passwords,
            MailModule mail,
            SmsModule sms,
            Invitations invitations) {
        this.factors = new FactorModule(floor, sessions, tokens, mail);
        this.phones = new PhoneModule(floor, sessions, mail, sms, factors);
        this.passkeys = new PasskeyModule(floor, sessions, tokens, mail);
        this.wallets = new WalletModule(floor, sessions, tokens, mail, factors);
        this.signIns = new SignInModule(floor, journal, sessions, tokens, passwords, mail, sms, factors);
        this.passwordless = new PasswordlessModule(floor, sessions, tokens, mail, factors, phones, signIns);
        this.reauthentication = new ReauthenticationModule(floor, sessions, tokens, mail, factors, passkeys, signIns);
        this.dashboard = new DashboardModule(floor, journal, sessions, tokens, passwords, invitations, signIns);
    }
}
