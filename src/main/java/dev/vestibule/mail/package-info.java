/**
 * Mails with one-time codes, which verify an email address or allow a new password, and notices, which tell the owner of an
 * account what happened to it. A feature queues a mail as a row of the
 * outbox in the transaction of its change ({@link dev.vestibule.mail.MailOutbox}); {@link dev.vestibule.database.OutboxVerticle}
 * looks up the recipient, creates the code, renders the mail and sends it by SMTP. Without an SMTP server it logs the code
 * and keeps the mail as a file, for development.
 *
 * <p>A request for a mail looks up no account. It writes the same rows whether or not the address has an account, so neither
 * the response nor its time reveals that. The recipient is looked up when the mail is sent, and so is the branding.
 *
 * <p>Who may make a project chooses names that strangers read, in mails to any address. Names hold no link ({@link
 * dev.vestibule.http.Links}), and an older one that does is written so that no mail program makes one of it.
 *
 * <p>The code is created when the mail is sent. So the database never holds it in plain text, and a mail that has waited
 * hours for its SMTP server still arrives with a code that is valid for its whole time.
 *
 * <p>A code that resets a password opens the account, so it has 65 bits. One that verifies an email is typed from one
 * screen to another and has 6 digits, so wrong ones have budgets ({@link dev.vestibule.mail.WrongCodeBudget}): 20 of an
 * account and day, and 1,000 of a project and hour. An account's counts the first five after each request for a mail and no
 * more, so that strangers cannot use it up unless they make it send mails; whether a code was really sent makes no
 * difference, since that would tell of accounts. If the project's budget stopped everyone, anyone could keep all its
 * users from verifying for the price of 1,000 requests; if right codes passed, it would stop no guessing; and accounts
 * without a wrong try are free to make. So it stops the networks that tried a wrong code in that hour: each further guess
 * costs an attacker a network. What strangers use up does not concern networks that the account signed in from lately
 * ({@link dev.vestibule.session.KnownNetworks}): what is asked for there is sent and kept apart from what strangers ask for
 * ({@link dev.vestibule.mail.AddressKeys}), and tries from there have 20 a day of each network. Strangers may use such a code
 * too, as people read mails on other devices, but do not void it. What an answer says is decided by what anyone has asked for
 * and tried, and by no more, so a neighbour who shares the network learns of no account there. Who is kept out elsewhere by
 * the 20 of a stranger can still reset the password, which proves the email too.
 *
 * <p>Anyone can have mails sent to addresses of strangers, so a client's network, a project and an address that nobody has
 * proved have budgets of a day ({@link dev.vestibule.mail.MailBudget}, which says what does not count and why). Networks that
 * an account with a proved email knows have budgets apart. So once a project's is spent, a 200 instead of a 429 tells a
 * neighbour there that such an account exists: the price of letting its owner in, on a day on which someone floods.
 *
 * <p>Where a project has a page for it ({@code passwordResetUrl}), a reset mail has a link there beside the code. Nothing is
 * reset by opening it: the page posts the code with the new password. Only owners can set the page, so no list allows it.
 *
 * <p>The code of a change of email ({@link dev.vestibule.mail.EmailChanges}) stands with the change and not with the address,
 * since several accounts may ask for one address: none can use up or replace the code of another. Wrong ones count for the
 * user who asked, whatever the addresses, and for the address, whoever asks. Neither is the budget of the codes that verify
 * or sign in the address's own account, which is somebody else's.
 *
 * <p>Codes and links that sign in ({@link dev.vestibule.mail.PasswordlessMails}) may go to an address without an account. They
 * have a table of their own, which is quota, outbox and store of secrets in one row: a link names no address, so the address
 * is kept there for the hour that its quota is. Their wrong codes share the budgets.
 *
 * <p>An attempt to use a code is counted before the code is compared, under the lock of its row and in a transaction that
 * commits in either case. So of a hundred guesses at the same time only five count, and of fifty correct attempts at the same
 * time only one succeeds.
 *
 * <p>A notice ({@link dev.vestibule.mail.Notice}) has an outbox of its own, {@code notices}, since it has what a code has not:
 * a kind, sealed details, and the account that it tells of. The same verticle sends both, codes first. It goes to the address
 * that the account had at the change, and only if that is verified: another may be a stranger's. What it says is sealed until
 * it is sent, since it has who was where, and the token that undoes a new email, a new factor or another way in. An account
 * gets one of a kind an hour, counted
 * under the lock of a row, so that two nodes at once send one; a token that undoes something is never left out. Who takes an
 * account writes the user agent that its owner reads, so a notice names a known browser and system or none. Where no mail can
 * be delivered, none is queued.
 *
 * <p>{@link dev.vestibule.mail.Mailer} has two implementations, one for SMTP and one for the log. Vert.x's mail client does
 * the SMTP; header values are encoded by {@link dev.vestibule.mail.EncodedWords}, since the client's encoder breaks emoji.
 */
@NullMarked
package dev.vestibule.mail;

import org.jspecify.annotations.NullMarked;
