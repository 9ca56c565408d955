/** Tells a project's endpoints of what happens in it: events, written with the change that they tell of. */
@NullMarked
package dev.vestibule.webhook;

import org.jspecify.annotations.NullMarked;
