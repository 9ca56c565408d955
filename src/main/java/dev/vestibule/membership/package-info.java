/** Which dashboard users keep which projects, and what each may do there. */
@NullMarked
package dev.vestibule.membership;

import org.jspecify.annotations.NullMarked;
