/** Signing up and signing in with a password: the steps that the features share, over HTTP or not. */
@NullMarked
package dev.vestibule.authentication;

import org.jspecify.annotations.NullMarked;
