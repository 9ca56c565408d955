/**
 * Changing a password, resetting it by a mailed code, and checking the one that is given once more in a session that is open.
 *
 * <p>Asking for a mail looks nothing up: it writes a request, whether the email has an account or not, and counts against
 * the quota of that address. Who gets a mail, and with which code, is decided when it is sent. So no response tells who
 * has an account, and no code is stored in plain. A try of a code is counted under the row's lock before the code is
 * compared, and that is committed even if the code is wrong: of a hundred guesses at once five count, and of fifty right
 * ones one wins.
 */
@NullMarked
package dev.vestibule.authentication.password;

import org.jspecify.annotations.NullMarked;
