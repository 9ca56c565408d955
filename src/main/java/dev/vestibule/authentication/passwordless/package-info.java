/**
 * Sign in and sign up without a password: with a mailed code or link.
 *
 * <p>A request looks up no account ({@link dev.vestibule.mail.PasswordlessMails}). Whether the address has one, can get
 * one, or is banned decides later, when the mail is due, whether it is sent. So neither the response nor its timing
 * reveals it. Verification works alike: no account is looked up until the code or token is right.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>The code and the link for one address have separate quotas, since clients can request both at once, and both
 *       are valid until one is used. Codes share the budgets of wrong tries with those that verify an email; a link has
 *       256 bits and needs no budget.
 *   <li>A link works in any browser, since people often read mail on another device than the one that asked for the
 *       link. The response says so ({@code requestedElsewhere}), as far as user agents tell, so that the page can ask
 *       whether that was intended. Only a POST uses up a token, because mail filters open links.
 *   <li>The right code or token proves the email. An account whose email was never proved loses its password, sessions
 *       and identities ({@link dev.vestibule.authentication.EmailProof}): someone else may have created it.
 *   <li>It is used up whatever the outcome. Only the reader of the mails learns of a ban or a second factor, and cannot
 *       try the same code again.
 *   <li>The user's row is locked before the rows of the codes and links sent to the address, as in a deletion or an
 *       email change, so that there are no deadlocks.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.passwordless;

import org.jspecify.annotations.NullMarked;
