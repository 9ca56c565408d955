/** Sign up and sign in with an email and a password. */
@NullMarked
package dev.vestibule.password;

import org.jspecify.annotations.NullMarked;
