/**
 * Mails with one-time codes, which verify an email address or allow a new password, and notices, which tell the owner
 * of an account what happened to it. A feature queues a mail as a row of the outbox in the transaction of its change
 * ({@link dev.vestibule.mail.MailOutbox}); {@link dev.vestibule.database.OutboxVerticle} looks up the recipient,
 * creates the code, renders the mail and sends it by SMTP. Without an SMTP server it logs the code and keeps the mail
 * as a file, for development.
 *
 * <p>A request for a mail looks up no account. It writes the same rows whether or not the address has an account, so
 * neither the response nor its time reveals that. The recipient and the branding are looked up when the mail is sent.
 *
 * <p>Anyone who can create a project chooses names that strangers read, in mails to any address. Names cannot contain
 * links ({@link dev.vestibule.http.Links}), and an older name with one is written so that no mail program turns it into
 * a link.
 *
 * <p>A project can write the texts of its mails and SMS ({@link dev.vestibule.mail.MessageKind}), one phrase at a time,
 * and the query that reads the branding for a message reads them too, so there is nothing to cache. They are not
 * templates: a stranger's template could read any object or never end. The code and the link are in the layout, so no
 * text can lose them; only where they would be in the text itself, or the text would tell too little, is a placeholder
 * required ({@link dev.vestibule.mail.MessageTexts}). A text obeys the rule for names, no links, when it is saved, and
 * again when it is sent, with what its placeholders have become by then. The invitation to manage a project has no
 * texts of the project, since it goes to people who do not know the project and comes from the operator.
 *
 * <p>The code is created when the mail is sent. So the database never contains it in plain text, and a mail that has
 * waited hours for its SMTP server still arrives with a code that is valid for its whole lifetime.
 *
 * <p>A code that resets a password opens the account, so it has 65 bits. One that verifies an email is typed from one
 * screen to another and has 6 digits, so wrong ones have budgets ({@link dev.vestibule.mail.WrongCodeBudget}): 20 for
 * each account and day, and 1,000 for each project and hour. The account's budget counts only the first five wrong
 * codes after each request for a mail, so that strangers cannot use it up unless they make the server send mails.
 * Whether a code was really sent makes no difference, since that would reveal accounts. If the project's budget stopped
 * everyone, anyone could keep all its users from verifying at the cost of 1,000 requests; if right codes passed, it
 * would not stop guessing; and accounts without a wrong attempt are free to create. So the budget stops the networks
 * that tried a wrong code in that hour: each further guess costs an attacker a network. The attempts of strangers do
 * not affect networks that the account recently signed in from ({@link dev.vestibule.session.KnownNetworks}): mails
 * requested from there are sent and stored separately from those that strangers request
 * ({@link dev.vestibule.mail.AddressKeys}), and each of these networks has 20 attempts a day. Strangers can use such a
 * code too, since people read mails on other devices, but cannot invalidate it. The requests and attempts of everyone
 * decide what a response says, and nothing else does, so a neighbour on the same network learns nothing about accounts
 * there. An owner whom a stranger's 20 attempts lock out elsewhere can still reset the password, which also proves the
 * email.
 *
 * <p>Anyone can make the server mail addresses of strangers, so a client's network, a project and an unproved address
 * have daily budgets ({@link dev.vestibule.mail.MailBudget} explains what does not count and why). Networks that an
 * account with a proved email knows have separate budgets. So once a project's budget is used up, a 200 instead of a
 * 429 tells a neighbour on that network that such an account exists. That is the price for letting its owner in on a
 * day with a flood of requests.
 *
 * <p>If a project has a page for it ({@code passwordResetUrl}), a reset mail has a link to the page in addition to the
 * code. Opening the link resets nothing: the page posts the code with the new password. Only owners can set the page,
 * so it needs no allowlist.
 *
 * <p>The code of an email change ({@link dev.vestibule.mail.EmailChanges}) is stored with the change and not with the
 * address, since several accounts may request the same address: none can use up or replace the code of another. Wrong
 * codes count for the user who requested the change, whatever the address, and for the address, no matter who requested
 * it. Both budgets are separate from that of the codes that verify or sign in the address's own account, which belongs
 * to somebody else.
 *
 * <p>All codes and links by mail or SMS are rows of one table, {@code codes}, from the request on: the quota of an
 * address for a purpose, and the code that was sent. What waits to be sent is a row of {@code messages}. Codes and
 * links that sign in ({@link dev.vestibule.mail.PasswordlessMails}) can go to an address without an account, so they
 * are bound to no user, and if several were requested while the SMTP server was away, only the last is sent. A link
 * does not contain the address, so its row keeps it for the hour of its quota. Their wrong codes share the budgets.
 *
 * <p>An attempt to use a code is counted before the code is compared, under the lock of its row and in a transaction
 * that commits in either case. So only five of a hundred simultaneous guesses count, and only one of fifty simultaneous
 * correct attempts succeeds.
 *
 * <p>A notice ({@link dev.vestibule.mail.Notice}) is a message that has data which a code does not have: sealed
 * details, and the account that it is about. The same verticle sends both, codes first. A notice goes to the address
 * that the account had at the change, and only if that address is verified: otherwise it may be a stranger's. The
 * details are sealed until the notice is sent, since they say who was where, and contain the token that undoes a new
 * email, a new factor or another new way to sign in. An account gets one notice of each kind an hour, counted under the
 * lock of a row, so that two nodes together send only one; a notice with a token is always sent. Anyone who takes over
 * an account writes the user agent that its owner reads, so a notice names a known browser and system or none. If no
 * mail can be delivered, none is queued.
 *
 * <p>{@link dev.vestibule.mail.Mailer} has two implementations, one for SMTP and one for the log. The Vert.x mail
 * client speaks SMTP; {@link dev.vestibule.mail.EncodedWords} encodes header values, since the client's encoder breaks
 * emoji.
 */
@NullMarked
package dev.vestibule.mail;

import org.jspecify.annotations.NullMarked;
