/** The identities that are linked to users, and the rules for linking. */
@NullMarked
package dev.vestibule.oauth.identity;

import org.jspecify.annotations.NullMarked;
