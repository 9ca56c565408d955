/** Users of a project and the rules for their fields. */
@NullMarked
package dev.vestibule.user;

import org.jspecify.annotations.NullMarked;
