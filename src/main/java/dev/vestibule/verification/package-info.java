/** Proving that an email is one's own. */
@NullMarked
package dev.vestibule.verification;

import org.jspecify.annotations.NullMarked;
