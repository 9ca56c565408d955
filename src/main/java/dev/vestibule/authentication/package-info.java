/**
 * Sign up, sign in with a password, sign out, refresh, verify and the user's own profile. Other ways to prove an
 * identity have sub-packages: {@code email}, {@code phone}, {@code password}, {@code passwordless} and {@code oauth};
 * {@code factor} holds second factors, and what each sign-in method requires of users who have one; {@code dashboard}
 * registers and signs in dashboard users.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>The first proof of an email, by a provider, a mailed code, a password reset or an invitation, goes through
 *       {@link dev.vestibule.authentication.EmailProof}, which ends all earlier sessions and removes all earlier
 *       identities. Linking a provider checks the caller's session again under the same lock, so that a session that
 *       the proof ended cannot link one.
 *   <li>A sign in is a look-up, a hash and one compare-and-set statement: the sign-in count and the password hash must
 *       still be those that were read before hashing. So the limit of sessions misses no concurrent sign in, and a
 *       password that was changed in the meantime opens nothing. A sign in that loses that race locks the user's row
 *       and checks again.
 *   <li>An unknown email costs a hash too, and is locked after too many failures like a known one. Neither the response
 *       nor its timing tells whether an email has an account.
 *   <li>A lock that strangers caused does not apply in a network from which the account signed in during the last 30
 *       days; that network has ten tries of its own. They count towards the lock too, and a wrong password gets the
 *       lock's response there as well, so no response tells a neighbour who else signs in from their shared network;
 *       only the right password signs in. Somebody who shares the network with the owner can still lock the account.
 *       Behind a proxy that is not trusted, all clients are one network: then a lock applies to everybody once ten
 *       tries are used up, as if there were no known networks.
 *   <li>A manual unlock, or a password set by management, clears what the account's email has used up in all networks:
 *       failed sign ins, and the day's wrong codes, which lock a person out for just as long
 *       ({@link dev.vestibule.authentication.AccountUnlock}). The budgets of networks and of the project stay, since
 *       they do not belong to the account.
 *   <li>A refresh within the grace time (ten seconds by default) with the previous token gets the same successor again.
 *       A refresh with an older token ends the session, since two parties hold the token.
 *   <li>Access tokens say when and how the person behind the session last proved who they are ({@code auth_time},
 *       {@code amr}). Operations that need a recent sign in ({@link dev.vestibule.access.RecentSignIn}) check the
 *       token, so that the check costs no query, and so that a copy of an older token stays old when the owner
 *       reauthenticates. Reauthentication renews the session and leaves its refresh token alone. The user of an account
 *       that has nothing to reauthenticate with signs in again with the provider, which opens another session. A sign
 *       in replaces the methods: they are those of {@code auth_time}, not all that the session has seen.
 *   <li>A session belongs to the variant of the API that opened it. Variant B does not replace refresh tokens, so there
 *       a thief could use one of Variant A without being noticed. A token at the wrong endpoint is not treated as
 *       theft: it does not prove that the token was copied, and a client that mixes up the two would sign out its user.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication;

import org.jspecify.annotations.NullMarked;
