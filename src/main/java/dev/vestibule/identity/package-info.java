/** What identity providers say of a user: asks them, and believes only what is proven. */
@NullMarked
package dev.vestibule.identity;

import org.jspecify.annotations.NullMarked;
