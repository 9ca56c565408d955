/**
 * Reauthentication in an open session, for operations that need a recent sign in. The session and its refresh token
 * stay the same.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>Any one factor that could also have signed the user in is enough: the password, a passkey, a mailed code.
 *       Somebody who merely finds an open session cannot do it.
 *   <li>A user with one-time passwords enters one of these as the code, or a backup code, and not a mailed one:
 *       otherwise anyone who reads the mails could add a sign-in method that needs no second factor. For the same
 *       reason the password renews nothing without a code of this kind. The code alone does, because the session was
 *       opened with the other factor: somebody who stole the token lacks the app.
 *   <li>Only the access token in the response says what was proved: older ones gain nothing, and neither does any
 *       refresh token, since a thief may hold a copy and wait until the owner reauthenticates
 *       ({@link dev.vestibule.access.RecentSignIn}). Giving the owner a new one and invalidating the others would be no
 *       better: clients that keep the old one, in another tab or in a library, would be signed out as thieves. So a
 *       user whose client refreshes in between has to reauthenticate again.
 *   <li>The mailed code is the one from {@code passwordless/email-otp}, since a project that sends these lets them sign
 *       in anyway. It counts only for a verified email: the first proof of an email goes through {@code verify-email},
 *       with everything that it ends.
 *   <li>Users who have none of these, such as some who sign in with providers or by SMS, sign in again: a new session
 *       is a recent sign in.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.reauthentication;

import org.jspecify.annotations.NullMarked;
