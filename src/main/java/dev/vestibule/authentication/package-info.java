/**
 * Sign up, sign in by password, sign out, refresh, verify and the user's own profile. Further ways to prove who one is
 * have sub-packages: {@code email}, {@code phone}, {@code password}, {@code passwordless} and {@code oauth}; {@code factor} holds second factors, and
 * what each way in asks of
 * those who have one; {@code dashboard} registers and signs in dashboard users.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>The first proof of an email, by a provider, a mailed code, a password reset or an invitation, goes through {@link
 *       dev.vestibule.authentication.EmailProof}, which ends all sessions and removes all identities from before it. Whoever
 *       links a provider looks at the caller's session again under the same lock, so that none is linked by a session that
 *       the proof ended.
 *   <li>A sign in is a look-up, a hash and one statement, which compares and sets: the sign-in count and the password
 *       hash must still be those that were read before hashing. So no concurrent sign in is missed by the limit of
 *       sessions, and a password that was changed in between opens nothing. A sign in that loses that race locks the
 *       user's row and checks again.
 *   <li>An unknown email costs a hash too, and is locked after too many failures like a known one. Neither time nor
 *       response tells whether an email has an account.
 *   <li>A lock by strangers does not hold in a network from which the account signed in during the last 30 days, which has
 *       ten tries of its own. They count for the lock too, and a wrong password gets the lock's response there as well, so
 *       no response tells a neighbour who signs in from their common network; only the right password opens. Who shares the
 *       network with the owner can still lock it. Behind a proxy that is not trusted all clients are one network: then a
 *       lock holds for everybody once ten tries are used up, as if there were no known networks.
 *   <li>An unlock by hand, or a password set by management, clears what the account's email has used up in all networks:
 *       failed sign ins, and the day's wrong codes, which keep a person out just as long ({@link
 *       dev.vestibule.authentication.AccountUnlock}). Budgets of networks and of the project stay, since they are not the
 *       account's.
 *   <li>A refresh within the grace time (ten seconds by default) with the previous token gets the same successor again.
 *       With an older one it ends the session, since two parties hold the token.
 *   <li>Access tokens say when and how the person behind the session last proved who they are ({@code auth_time}, {@code
 *       amr}). What needs a recent sign in ({@link dev.vestibule.access.RecentSignIn}) goes by the token, so that it costs
 *       no query, and so that a copy of an older token stays old when the owner proves again who they are. That renews the session
 *       and leaves its refresh token alone; an account that has nothing to prove it with
 *       signs in again with its provider, which opens another session. A sign in replaces the methods: they are those of
 *       {@code auth_time}, not all that the session has seen.
 *   <li>A session belongs to the variant of the API that opened it. Variant B does not replace refresh tokens, so there a
 *       thief could use one of Variant A without being noticed. A token at the wrong endpoint is not taken for theft: it
 *       proves no copy, and a client that mixes up the two would sign out its user.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication;

import org.jspecify.annotations.NullMarked;
