/**
 * Verification of an email by a mailed code.
 *
 * <p>The first proof ends every session that was open, and removes every linked identity ({@link
 * dev.vestibule.oauth.identity.EmailProof}): the person who made the account may not be the one who reads the mail. The
 * session of the response is the only one left. A session that the request carries is no exception, since another person
 * may hold its tokens too, such as one who signed the reader of the mail in to an account of their own making. The
 * password stays, or nobody could sign up and verify; that is why the mail says what entering the code means.
 */
@NullMarked
package dev.vestibule.authentication.email;

import org.jspecify.annotations.NullMarked;
