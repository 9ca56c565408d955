/** Who is calling: credentials are checked in one place, and every route declares its guard. */
@NullMarked
package dev.vestibule.access;

import org.jspecify.annotations.NullMarked;
