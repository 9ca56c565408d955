/** How often an address may call, and how often an account may fail. */
@NullMarked
package dev.vestibule.limits;

import org.jspecify.annotations.NullMarked;
