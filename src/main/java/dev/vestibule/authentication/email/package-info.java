/**
 * Verification of an email by a mailed code.
 *
 * <p>The first proof ends every open session, and removes every linked identity
 * ({@link dev.vestibule.authentication.EmailProof}): the person who created the account may not be the one who reads
 * the mail. The session in the response is the only one left. The session of the request is no exception, since another
 * person may hold its tokens too, for example somebody who signed the reader of the mail in to an account that they
 * created. The password stays, or nobody could sign up and verify; that is why the mail says what entering the code
 * means.
 *
 * <p>A change of the email ({@link dev.vestibule.authentication.email.EmailChange}) needs the password, or a recent
 * sign in if there is none, and a code sent to the new address. The response is the same whether or not that address is
 * taken: this is checked when the mail is sent, and a taken address gets no mail. Its reader could do nothing with the
 * news that it belongs to another account, and strangers could make this server write to them. The change ends all
 * other sessions: otherwise anyone who holds one would stay signed in to an account that has moved away from its owner
 * (OWASP, Session Management).
 *
 * <p>The old address can undo the change for a week, if it was verified: an address that nobody verified may be a
 * stranger's because of a typo, and must not open the account. Undoing leaves no session, password or identity, since a
 * thief may have any of them; the reader of the mail continues with a password reset. A token undoes one change, and
 * invalidates the tokens of later changes but not of earlier ones, so the owner's notice wins over a thief's in
 * whatever order they are used. An account that has taken the old address without verifying it loses it: otherwise a
 * thief would only have to sign up with it to stay. No token is stored: each is a keyed hash of its change.
 *
 * <p>A new factor is undone in the same way, with the same kind of token: its row is a change to the email that the
 * account already has, so a later email change is undone with it, and that change's token becomes invalid. Factors that
 * were added since are removed and earlier ones stay, or reading the mails would be enough to get rid of them. If a
 * second factor is required, even the last one is removed: the owner must be able to sign in first.
 */
@NullMarked
package dev.vestibule.authentication.email;

import org.jspecify.annotations.NullMarked;
