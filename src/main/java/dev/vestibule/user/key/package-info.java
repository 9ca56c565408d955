/**
 * API keys of users and of organizations: a program presents one to the application's back end, which asks this server
 * whose it is.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A key has a fixed prefix, names its project and ends with a checksum, so that scanners recognize a leaked one
 *       without asking, and a mistyped one costs no query. The database has only a hash, of 192 random bits.
 *   <li>A key says whose it is and may have scopes, which limit it. It gives no right that its user lacks: the
 *       application decides what the user may do.
 *   <li>A key of an organization is nobody's in particular: it stays when the member who made it leaves, and ends with
 *       the organization. Its scopes are permissions of organizations, at its creation no others than its maker has;
 *       those of a user's key are scopes of the project's APIs.
 *   <li>A check asks the database each time, together with others that are waiting, as sessions are checked.
 *   <li>Keys end with a ban, a reset of the password and whatever gives the account to another person, as sessions do;
 *       they survive a sign out everywhere, which people do because of a lost device. So a thief must not make one
 *       unnoticed: a key that a user makes is mailed about and can be undone, like a factor.
 * </ul>
 */
@NullMarked
package dev.vestibule.user.key;

import org.jspecify.annotations.NullMarked;
