/**
 * Changing a password, resetting it with a mailed code, and checking the current one again in an open session.
 *
 * <p>Asking for a mail looks nothing up: it writes a request, whether or not the email has an account, and counts
 * against the quota of that address. Who gets a mail, and with which code, is decided when it is sent. So no response
 * tells who has an account, and no code is stored in plain text. Each try is counted under the row's lock before the
 * code is compared, and the count is committed even if the code is wrong: of a hundred concurrent guesses five count,
 * and of fifty right ones one wins.
 */
@NullMarked
package dev.vestibule.authentication.password;

import org.jspecify.annotations.NullMarked;
