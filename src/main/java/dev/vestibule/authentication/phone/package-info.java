/**
 * Phone numbers: a code by SMS signs in the user of the number, or signs up a new one. A user can also prove with a
 * code that a number is theirs.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A number signs in the user who has it and has verified it. An unverified one is worth nothing: anybody may have
 *       written it into a profile.
 *   <li>A number is verified for one user at a time. A user who proves one that another user has verified gets a 409:
 *       carriers reassign numbers, and this server cannot tell a new owner from one person with two accounts. Signing
 *       in with it leads to the other account, whose owner can give the number up there. If an import has brought the
 *       same verified number for several users, it signs nobody in (409). No unique index enforces this, since it would
 *       have to choose among the imported users; the lock of the number does
 *       ({@link dev.vestibule.mail.sms.SmsCodes#lockNumber}).
 *   <li>The first proof of an email discards what was proved before it, including the number: someone else may have
 *       created the account, and would come back by SMS ({@link dev.vestibule.authentication.EmailProof}).
 *   <li>An SMS is not a second factor here, and does not replace one: a user who has one gets a 403. Anyone who talks a
 *       carrier into a new SIM card gets the number (NIST SP 800-63B-4, 3.1.3.3, restricted authenticators).
 *   <li>Only a right code reveals whether someone has the number, is banned or has a second factor, and it is used up
 *       by then.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.phone;

import org.jspecify.annotations.NullMarked;
