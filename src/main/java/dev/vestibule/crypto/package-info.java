/** Password hashing on its own bounded pool, random secrets, keyed hashes, and sealing at rest. */
@NullMarked
package dev.vestibule.crypto;

import org.jspecify.annotations.NullMarked;
