/**
 * Proving once more who one is, in a session that is open: for what needs a recent sign in. The session stays the same one, its
 * refresh token too.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>Any one factor that could also have signed the user in is enough: the password, a passkey, a mailed code. A session
 *       that was found open is worth nothing without one.
 *   <li>A user with one-time passwords gives one of these as the code, or a backup code, and not a mailed one: anyone who reads the mails
 *       could otherwise add a way in that needs no second factor. For the same reason the password renews nothing without such
 *       a code. The code alone does, as what has opened the session is the other factor: a thief of the token lacks the app.
 *   <li>The access token of the answer says what was proved, and no other: older ones gain nothing by it, nor does any refresh
 *       token, since that may have been copied, and would wait for the owner to come ({@link dev.vestibule.access.RecentSignIn}).
 *       To give the owner a new one and end the others would be no better: clients that keep the old one, in another tab or in a
 *       library, would be signed out as thieves. So who refreshes in between proves it again.
 *   <li>A mailed code is that of {@code passwordless/email-otp}, since a project that sends these lets them sign in anyway. It
 *       counts for a verified email alone: the first proof of an email is {@code verify-email}'s, with all that it ends.
 *   <li>Users who have none of these, as those of providers and of SMS may, sign in again: a new session is a recent sign in.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.reauthentication;

import org.jspecify.annotations.NullMarked;
