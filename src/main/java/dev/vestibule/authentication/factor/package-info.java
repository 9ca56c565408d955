/**
 * Second factors: one-time passwords by an authenticator app (RFC 6238), with backup codes. What each way in asks of a user
 * who has one:
 *
 * <table>
 *   <caption>Ways in</caption>
 *   <tr><th>way in</th><th>with a second factor</th><th>{@code amr}</th></tr>
 *   <tr><td>password</td><td>no session, but a token for {@code mfa/verify}, which opens it by a code</td>
 *       <td>{@code pwd otp mfa}</td></tr>
 *   <tr><td>identity provider</td><td>a session: its own second factor is its own business</td><td>{@code fed}</td></tr>
 *   <tr><td>email verification by a mailed code</td><td>the email is verified; 403, sign in with the password</td>
 *       <td>none</td></tr>
 *   <tr><td>reset of the password by mail</td><td>the password is set; the factor stays, and there is no session</td>
 *       <td>none</td></tr>
 *   <tr><td>sign up</td><td>a new account has none</td><td>{@code pwd}</td></tr>
 *   <tr><td>password given once more in a session</td><td>the session stays what it was</td>
 *       <td>as before, or {@code pwd}</td></tr>
 *   <tr><td>an owner of the project acts as the user</td><td>a session that changes no factor: it asks the owner, and
 *       not the user</td><td>none</td></tr>
 *   <tr><td>token for automatic tests</td><td>a session: it asks for no proof at all, in projects for tests</td>
 *       <td>none</td></tr>
 * </table>
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>The row of the user says whether there is a factor, so sign in costs no statement more, and a sign in that began
 *       before the factor was confirmed opens no session after it.
 *   <li>Every try locks the user's row first. So of fifty right codes at once one is taken, and the count of wrong ones is
 *       exact; it is the account's, whatever tokens, sessions and networks they come with. An unlock by hand renews it.
 *   <li>No code of a time step that is not after the last one taken is good: neither a replay nor an older one. The code
 *       that confirms the setup counts as taken.
 *   <li>Confirming a factor ends the user's other sessions, which the password alone may have opened.
 *   <li>Nothing by mail removes a factor, not even the first proof of the email: whoever reads the mails would otherwise
 *       need nothing else. A person who has lost app and backup codes, or whose email another person used for an account
 *       with a factor, needs {@code DELETE …/users/:userId/factors} of the project's management.
 *   <li>A project that switches one-time passwords off gets no new ones. Those that there are still count, or the
 *       switch would open accounts to their passwords.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.factor;

import org.jspecify.annotations.NullMarked;
