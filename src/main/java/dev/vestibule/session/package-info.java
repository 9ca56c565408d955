/** Sessions, the refresh tokens that prolong them, and the look-up that every signed-in request makes. */
@NullMarked
package dev.vestibule.session;

import org.jspecify.annotations.NullMarked;
