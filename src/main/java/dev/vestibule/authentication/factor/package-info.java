/**
 * Second factors: one-time passwords from an authenticator app (RFC 6238), with backup codes. A passkey that has
 * verified its user is one too ({@link dev.vestibule.user.User#secondFactor}). The table shows what each sign-in method
 * proves, and what it requires. "One factor" opens a session, unless the project requires a second one and the user's
 * time to set it up is over: then the response is a 403 with a token for setting it up
 * ({@link dev.vestibule.authentication.factor.EnrolmentSignIn}).
 *
 * <table>
 *   <caption>Sign-in methods</caption>
 *   <tr><th>method</th><th>without a second factor</th><th>with one</th><th>{@code amr}</th><th>{@code acr}</th></tr>
 *   <tr><td>sign up</td><td>one factor</td><td>a new account has none</td><td>{@code pwd}</td><td>{@code aal1}</td></tr>
 *   <tr><td>password</td><td>one factor</td><td>no session, but a token for {@code mfa/verify}; 403 if the factor is a
 *       passkey, which the client must then use, here and below</td>
 *       <td>{@code pwd}</td><td>{@code aal1}</td></tr>
 *   <tr><td>password and a one-time password, or a backup code</td><td></td><td>a session</td>
 *       <td>{@code pwd otp mfa}</td><td>{@code aal2}</td></tr>
 *   <tr><td>setting up the factor that a sign in required</td><td>a session</td><td></td>
 *       <td>what was proved, {@code otp mfa}</td><td>{@code aal2}</td></tr>
 *   <tr><td>identity provider</td><td>one factor</td><td>a session: the provider handles its own second factor; if
 *       the project requires one, since we cannot know what the provider asked for, our own pages ask for its code, and
 *       elsewhere it is a 403</td>
 *       <td>{@code fed}</td><td>{@code aal1}</td></tr>
 *   <tr><td>email verification by a mailed code</td><td>one factor</td><td>one factor: this is the first proof of the
 *       email, so the factor is removed</td><td>{@code mail}</td><td>{@code aal1}</td></tr>
 *   <tr><td>mailed code or link without a password</td><td>one factor</td><td>403, sign in with password or passkey;
 *       the code or link is used up</td><td>{@code mail}</td><td>{@code aal1}</td></tr>
 *   <tr><td>code by SMS</td><td>one factor</td><td>403, use another method; the code is used up</td>
 *       <td>{@code sms}</td><td>{@code aal1}</td></tr>
 *   <tr><td>passkey that has verified the person</td><td>a session</td><td>a session: it is two factors by itself</td>
 *       <td>{@code swk} or {@code hwk}, {@code user mfa}</td><td>{@code aal2}</td></tr>
 *   <tr><td>passkey that has not</td><td>one factor; 403 if the project requires two</td><td>403, verify the person or
 *       use the password</td><td>{@code swk} or {@code hwk}</td><td>{@code aal1}</td></tr>
 *   <tr><td>password reset by mail</td><td>no session</td><td>no session; the factor stays, unless this is the first
 *       proof of the email</td><td>none</td><td>none</td></tr>
 *   <tr><td>reauthentication in an open session by password, passkey or code</td><td>the session stays open; a mailed
 *       code only if passwordless sign in is on</td><td>the session stays open, after a passkey that verifies the
 *       person, or a one-time password or backup code; the password is not enough without one</td><td>unchanged if it
 *       has {@code mfa}, unless the passkey proves as much; after a one-time password, what opened the session and
 *       {@code otp mfa}; otherwise what was given</td>
 *       <td>as {@code amr} says</td></tr>
 *   <tr><td>an owner of the project acts as the user</td><td>a session that cannot change factors: the owner
 *       authenticates, not the user; exempt from what the project requires</td><td>the
 *       same</td><td>none</td><td>none</td></tr>
 *   <tr><td>token for automatic tests</td><td>a session, without any proof, in test projects only; also
 *       exempt</td><td>the same</td><td>none</td><td>none</td></tr>
 * </table>
 *
 * <p>{@code acr} follows from {@code amr} ({@link dev.vestibule.session.Authentication#assurance}), so that nothing
 * more is stored: {@code aal2} for two different factors or a key that has verified its user, {@code aal1} for
 * everything else, after the authenticator assurance levels of NIST SP 800-63B. We cannot know how another system
 * authenticated the user, so it counts as one factor.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>The user's row says which factors there are, so sign in costs no extra statement, and a sign in that began
 *       before a factor was added opens no session afterwards. The row lists passkeys by domain: those of a domain that
 *       the project no longer uses open nothing, and so do not lock anybody out either.
 *   <li>A factor counts once the email is proved, and a phone number does not prove it. Before that, one-time passwords
 *       cannot be set up, since the first proof of the email would remove them, so a mailed code would bypass them.
 *       Until then a passkey is only a sign-in method, as it is for an account without an email: anyone who found an
 *       open session could add one, and would lock out its owner, who signs in by SMS or with a provider, for good,
 *       without a mail that reports and undoes it.
 *   <li>Every try locks the user's row first. So one of fifty concurrent right codes is accepted, and the count of
 *       wrong ones is exact; it counts per account, whatever token or session the code comes with. Somebody who knows
 *       the password uses up the 20 tries of strangers: each network from which the account recently signed in with
 *       both factors has 20 of its own, up to 60 in total, and backup codes have their own budgets, so large that it
 *       takes long to use them up. A password reset makes no network known for this, nor unknown. A right code clears
 *       the count of its network, or that of strangers if the network is not one of the account's; a manual unlock
 *       clears all of them.
 *   <li>A code is accepted only if its time step is after the last accepted one, so neither a replay nor an older code
 *       works. The code that confirms the setup counts as accepted.
 *   <li>A user who deletes the account and signs up again with the same email, one that the account had before, the
 *       same verified number or the same identity gets no new grace period to set up a factor
 *       ({@link dev.vestibule.authentication.factor.EnrolmentStarts}). A sign up after that period asks for a proof of
 *       the email first, as a sign in does, and opens no session. So a stranger who created and deleted an account with
 *       an email can cost its owner the days of grace, and nothing else.
 *   <li>Confirming a factor ends the user's other sessions, which the password alone may have opened.
 *   <li>The first proof of an email, in whatever way, removes all earlier factors: the person who created the account
 *       may be someone else, and would lock out the owner with an app of their own
 *       ({@link dev.vestibule.authentication.EmailProof}). A mail tells a user who had set up a factor before the email
 *       was verified that it is gone.
 *   <li>Once an email is verified, no mail can remove a factor: otherwise anyone who reads the mails would need nothing
 *       else. The exception is undoing an email change or a new factor, which removes the factors that were added
 *       since.
 *   <li>Where second factors are required, the last one stays, unless the mail that announced it undoes it; a passkey
 *       that has verified the person is one too. For a person who has lost the app and the backup codes, the project's
 *       management calls {@code DELETE …/users/:userId/factors}.
 *   <li>A project that requires second factors gives each user 7 days, from that moment or from the user's creation.
 *       Whether the time is over follows from the project and the user, which a sign in reads anyway. Open sessions
 *       continue: they were opened under earlier rules, and end when they expire.
 *   <li>The token for setting up a factor is good for nothing else, and a token for using one cannot set one up. If the
 *       account has a factor by then, even a passkey, the token sets up nothing.
 *   <li>Adding a passkey ends no session, as confirming an app does: people add one on each of their devices. A session
 *       with one factor can still do everything that needs no recent second factor
 *       ({@link dev.vestibule.access.RecentSignIn}).
 *   <li>If a project switches one-time passwords off, nobody can set up new ones. Existing ones still count; otherwise
 *       the switch would open those accounts to anyone with the password.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.factor;

import org.jspecify.annotations.NullMarked;
