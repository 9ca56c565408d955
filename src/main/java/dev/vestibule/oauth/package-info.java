/** Sign in with other identity providers. */
@NullMarked
package dev.vestibule.oauth;

import org.jspecify.annotations.NullMarked;
