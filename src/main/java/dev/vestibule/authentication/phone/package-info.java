/**
 * What a phone number is good for: it signs in by a code in an SMS whose number it is, or signs the number up, and a user
 * proves with such a code that a number is theirs.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A number signs in the user who has it and has verified it. One that is not verified gives nothing: anybody may have
 *       written it into a profile.
 *   <li>A number is verified for one user at a time. A user who proves one that another has verified gets a 409, since a
 *       number is handed on by its carrier, and this server cannot tell a new owner from two accounts of one person; signing
 *       in with it leads to the other account, whose owner can give the number up there. Where an import has brought the
 *       same verified number for several users, it signs nobody in (409). No unique index says so, as it would have to
 *       choose among what imports have brought; the lock of the number does ({@link
 *       dev.vestibule.mail.sms.SmsCodes#lockNumber}).
 *   <li>The first proof of an email ends what was proved before it, the number too: the person who made the account may have been
 *       another person, who would come back by SMS ({@link dev.vestibule.authentication.EmailProof}).
 *   <li>An SMS is no second factor here, and lets nobody past one: a user who has one gets a 403. Anyone who talks a carrier
 *       into a new SIM card has the number (NIST SP 800-63B-4, 3.1.3.3, restricted authenticators).
 *   <li>Whether someone has the number, is banned or has a second factor is told after a right code alone, which is used up
 *       by then.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.phone;

import org.jspecify.annotations.NullMarked;
