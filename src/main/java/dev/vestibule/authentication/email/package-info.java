/** The request that an email belongs to its user: a mailed code, entered. */
@NullMarked
package dev.vestibule.authentication.email;

import org.jspecify.annotations.NullMarked;
