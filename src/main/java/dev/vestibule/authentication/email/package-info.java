/**
 * Verification of an email by a mailed code.
 *
 * <p>The first proof ends every session that was open, and removes every linked identity ({@link
 * dev.vestibule.authentication.EmailProof}): the person who made the account may not be the one who reads the mail. The
 * session of the response is the only one left. A session that the request carries is no exception, since another person
 * may hold its tokens too, such as one who signed the reader of the mail in to an account of their own making. The
 * password stays, or nobody could sign up and verify; that is why the mail says what entering the code means.
 *
 * <p>A change of the email ({@link dev.vestibule.authentication.email.EmailChange}) needs the password, or a recent sign in
 * where there is none, and a code to the new address. The answer says the same whether that address is taken: who has it is
 * looked at when the mail is sent, and a taken address gets none. Told that it is another account's, its reader could do
 * nothing, and strangers could make this server write to them. The change ends all other sessions: anyone who holds one
 * would else go on in an account that has moved away from its owner (OWASP, Session Management).
 *
 * <p>The old address can take the change back for a week, if it was verified: an address that nobody verified may be a
 * stranger's, by a slip of the keyboard, and must not open the account. Undoing leaves no session, password or identity,
 * since a thief may have each of them; the reader of the mail goes on with a reset. A token stands for one change, and voids
 * later ones and not earlier ones, so that of an owner's and a thief's notice the owner's wins in whatever order they are
 * used. An account that has taken the old address without verifying it gives it up: signing up with it would else be all
 * that a thief needs to stay. No token is stored: each is a keyed hash of its change.
 *
 * <p>A new factor is undone in the same way, by the same sort of token: its row is a change to the email that the account has
 * anyway, so a change of the email that follows is undone with it, and its token is void. What was added since goes, and
 * factors of before stay, or reading the mails would be enough to be rid of them. Where a second factor is required, the last
 * one goes too: the owner must come in first.
 */
@NullMarked
package dev.vestibule.authentication.email;

import org.jspecify.annotations.NullMarked;
