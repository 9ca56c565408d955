/** What a signed-in user does with the session and the profile. */
@NullMarked
package dev.vestibule.account;

import org.jspecify.annotations.NullMarked;
