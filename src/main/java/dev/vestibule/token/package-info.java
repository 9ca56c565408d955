/** Access tokens: ES256 JWTs signed with the project's own key, and the key set that verifies them. */
@NullMarked
package dev.vestibule.token;

import org.jspecify.annotations.NullMarked;
