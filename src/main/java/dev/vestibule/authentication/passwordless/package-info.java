/**
 * Signing in, and up, without a password: by a code or a link that is mailed.
 *
 * <p>A request looks up no account ({@link dev.vestibule.mail.PasswordlessMails}): whether the address has one, may get one,
 * or is banned decides whether a mail goes, when it is due. So neither the response nor its time tells. Verifying is the
 * same: until the code or token is right, nothing is asked about an account.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>Code and link of one address have a quota each, since clients may ask for both at once, and both are good until one
 *       is used. Codes share the budgets of wrong tries with those that verify an email; a link has 256 bits and none.
 *   <li>A link works in any browser, since mail is often read on another device than the one that asked. The response says
 *       so ({@code requestedElsewhere}), as far as user agents tell it, so that the page can ask whether that was meant. Only
 *       a POST uses a token up: mail filters open links.
 *   <li>The right code or token proves the email. Of an account that had never proved it, password, sessions and identities
 *       go ({@link dev.vestibule.authentication.EmailProof}): its maker may be someone else.
 *   <li>It is used up whatever comes of it. A ban or a second factor is told to the reader of the mails, and to nobody else:
 *       neither can be tried again with the same code.
 *   <li>Users are locked before what their address was sent, as when they are deleted or change the email, so that none
 *       waits for the other in a circle.
 * </ul>
 */
@NullMarked
package dev.vestibule.authentication.passwordless;

import org.jspecify.annotations.NullMarked;
