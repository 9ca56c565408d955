/** Who sends a request: credentials resolved in one place, and the guards that every route declares. */
@NullMarked
package dev.vestibule.caller;

import org.jspecify.annotations.NullMarked;
