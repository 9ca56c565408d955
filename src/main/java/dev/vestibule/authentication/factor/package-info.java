/**
 * Second factors: one-time passwords by an authenticator app (RFC 6238), with backup codes. A passkey that has verified its
 * person is one too ({@link dev.vestibule.user.User#secondFactor}). What proves what, and what each way in asks of whom. "One factor" opens a session, unless the project requires a second one and the user's time to set it
 * up is over: then the response is a 403 with a token for setting it up ({@link
 * dev.vestibule.authentication.factor.EnrolmentSignIn}).
 *
 * <table>
 *   <caption>Ways in</caption>
 *   <tr><th>way in</th><th>without a second factor</th><th>with one</th><th>{@code amr}</th><th>{@code acr}</th></tr>
 *   <tr><td>sign up</td><td>one factor</td><td>a new account has none</td><td>{@code pwd}</td><td>{@code aal1}</td></tr>
 *   <tr><td>password</td><td>one factor</td><td>no session, but a token for {@code mfa/verify}; 403 where the factor is a
 *       passkey, which is asked for, here and below</td>
 *       <td>{@code pwd}</td><td>{@code aal1}</td></tr>
 *   <tr><td>password and a one-time password, or a backup code</td><td></td><td>a session</td>
 *       <td>{@code pwd otp mfa}</td><td>{@code aal2}</td></tr>
 *   <tr><td>setting up the factor that a sign in asked for</td><td>a session</td><td></td>
 *       <td>what was proved, {@code otp mfa}</td><td>{@code aal2}</td></tr>
 *   <tr><td>identity provider</td><td>one factor</td><td>a session: its own second factor is its own business; 403 where
 *       the project requires one, since nobody knows what the provider asked for</td>
 *       <td>{@code fed}</td><td>{@code aal1}</td></tr>
 *   <tr><td>email verification by a mailed code</td><td>one factor</td><td>one factor: this is the first proof of the email, so
 *       the factor goes</td><td>{@code mail}</td><td>{@code aal1}</td></tr>
 *   <tr><td>mailed code or link without a password</td><td>one factor</td><td>403, sign in with password or passkey; it is
 *       used up</td><td>{@code mail}</td><td>{@code aal1}</td></tr>
 *   <tr><td>code by SMS</td><td>one factor</td><td>403, use another way; it is used up</td>
 *       <td>{@code sms}</td><td>{@code aal1}</td></tr>
 *   <tr><td>passkey that has verified the person</td><td>a session</td><td>a session: it is two factors by itself</td>
 *       <td>{@code swk} or {@code hwk}, {@code user mfa}</td><td>{@code aal2}</td></tr>
 *   <tr><td>passkey without that</td><td>one factor; 403 where the project requires two</td><td>403, verify the person
 *       or use the password</td><td>{@code swk} or {@code hwk}</td><td>{@code aal1}</td></tr>
 *   <tr><td>reset of the password by mail</td><td>no session</td><td>no session; the factor stays, unless this is the first
 *       proof of the email</td><td>none</td><td>none</td></tr>
 *   <tr><td>password, passkey, or code given once more in a session</td><td>the session stays what it was; of mailed codes, only
 *       where passwordless ways are on</td><td>the same, by a passkey that verifies the person, or a one-time password or backup
 *       code; the password is not enough without one</td><td>as before if that has {@code mfa}, unless the passkey proves as
 *       much; what opened the session, {@code otp mfa} after a one-time password; else what was given</td>
 *       <td>as {@code amr} says</td></tr>
 *   <tr><td>an owner of the project acts as the user</td><td>a session that changes no factor: it asks the owner, and
 *       not the user; exempt from what the project requires</td><td>the same</td><td>none</td><td>none</td></tr>
 *   <tr><td>token for automatic tests</td><td>a session: it asks for no proof at all, in projects for tests; exempt
 *       too</td><td>the same</td><td>none</td><td>none</td></tr>
 * </table>
 *
 * <p>{@code acr} follows from {@code amr} ({@link dev.vestibule.session.Authentication#assurance}), so that nothing more is
 * stored: {@code aal2} for two different factors or a key that has verified its user, {@code aal1} for all else, after the
 * authenticator assurance levels of NIST SP 800-63B. What another system's word is worth is not known, so it counts as one
 * factor.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>The row of the user says which factors there are, so sign in costs no statement more, and a sign in that began
 *       before one was added opens no session after it. Passkeys stand there by their domains: those of a domain that the
 *       project has left open nothing, and so keep nobody out either.
 *   <li>A factor counts once the email is proved, and a phone number is no such proof. Before that one-time passwords are not set
 *       up, since the first proof of the email would remove them, and a mailed code so go by them. A passkey is a way in and no
 *       more then, as it is for an account without an email: whoever finds a session open could add one, and its owner, who
 *       signs in by SMS or a provider, would be shut out by it for good, without a mail that tells and undoes it.
 *   <li>Every try locks the user's row first. So of fifty right codes at once one is taken, and the count of wrong ones is
 *       exact; it is the account's, whatever tokens and sessions they come with. Who knows the password uses up the 20 of
 *       strangers: each network that the account signed in from lately by both factors has 20 of its own, up to 60 of all
 *       together, and backup codes have budgets of their own, so large that it takes long to use them up. A password that is
 *       reset makes no network known for this, nor unknown. A right code clears those of its network, or those of strangers where it is none of the
 *       account's; an unlock by hand clears all.
 *   <li>No code of a time step that is not after the last one taken is good: neither a replay nor an older one. The code
 *       that confirms the setup counts as taken.
 *   <li>Who deletes the account and signs up with the same email, or with one that the account had before, verified number or identity has no new time to set a factor
 *       up ({@link dev.vestibule.authentication.factor.EnrolmentStarts}). A sign up after that time asks for a proof of the email
 *       first, as a sign in does, and opens no session. A stranger who made and deleted an account with an email can so cost its
 *       owner the days of grace, and nothing else.
 *   <li>Confirming a factor ends the user's other sessions, which the password alone may have opened.
 *   <li>The first proof of an email, by whatever way, removes the factors from before it: the person who made the account may be
 *       someone else, and would keep the owner out with an app of their own ({@link dev.vestibule.authentication.EmailProof}).
 *       A user who had set one up before the email was verified reads in a mail that it is gone.
 *   <li>Once an email is verified, nothing by mail removes a factor: anyone who reads the mails would otherwise need nothing
 *       else. The exception is the undoing of a change of the email or of a new factor, which removes those that were added since.
 *   <li>Where second factors are required, the last one stays, unless it is undone by the mail that told of it; a passkey that has verified the person is one too.
 *       A person who has lost app and backup codes needs {@code DELETE …/users/:userId/factors} of the project's
 *       management.
 *   <li>A project that requires second factors gives each user 7 days, from then or from the user's creation. Whether the
 *       time is over is computed of the project and the user that a sign in reads anyway. Open sessions go on: they were
 *       opened by the rules of their time, and end by their own.
 *   <li>The token for setting up a factor is good for nothing else, and a token for giving one sets up none. An account that
 *       has a factor by then, a passkey too, sets up none by it.
 *   <li>Adding a passkey ends no session, as confirming an app does: people add one on each of their devices. What a session
 *       of one factor may still do is what needs no recent second factor ({@link dev.vestibule.access.RecentSignIn}).
 *   <li>A project that switches one-time passwords off gets no new ones. Those that there are still count, or the
 *       switch would open accounts to their passwords.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.factor;

import org.jspecify.annotations.NullMarked;
