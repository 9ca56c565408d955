/** Verification of an email by a mailed code. */
@NullMarked
package dev.vestibule.authentication.email;

import org.jspecify.annotations.NullMarked;
