/** Every refusal that a client can see, as values; knows nothing of HTTP libraries, so that stores may refuse too. */
@NullMarked
package dev.vestibule.error;

import org.jspecify.annotations.NullMarked;
