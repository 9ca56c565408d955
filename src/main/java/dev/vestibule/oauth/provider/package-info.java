/** The identity providers that a project has set up. */
@NullMarked
package dev.vestibule.oauth.provider;

import org.jspecify.annotations.NullMarked;
