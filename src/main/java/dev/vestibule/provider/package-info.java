/** The identity providers that there are, and how projects have set them up. */
@NullMarked
package dev.vestibule.provider;

import org.jspecify.annotations.NullMarked;
