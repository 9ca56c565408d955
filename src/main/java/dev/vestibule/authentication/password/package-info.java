/** Passwords beyond sign in: change, and reset by a mailed code. */
@NullMarked
package dev.vestibule.authentication.password;

import org.jspecify.annotations.NullMarked;
