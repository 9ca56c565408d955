/**
 * Mails with codes. Whoever wants one sent writes a row of the outbox in the transaction of the change; {@code
 * MailVerticle} makes the code, renders the mail and hands it over.
 */
@NullMarked
package dev.vestibule.mail;

import org.jspecify.annotations.NullMarked;
