/** Speaks with identity providers: discovery, code exchange, ID tokens, user info. */
@NullMarked
package dev.vestibule.oauth.client;

import org.jspecify.annotations.NullMarked;
