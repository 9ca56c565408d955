/** Password hashes that other systems made: which forms and costs are taken, and how a password is checked against one. */
@NullMarked
package dev.vestibule.crypto.foreign;

import org.jspecify.annotations.NullMarked;
