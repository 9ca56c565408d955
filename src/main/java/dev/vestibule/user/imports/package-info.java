/** Users that come from another system, one or many, with the password hashes that they have there. */
@NullMarked
package dev.vestibule.user.imports;

import org.jspecify.annotations.NullMarked;
