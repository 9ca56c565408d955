/**
 * The error responses of the API, as values.
 *
 * <p>The package does not depend on an HTTP library, so stores and plain classes can fail with an error response too. A
 * failure with an {@link dev.vestibule.error.ApiException} travels through futures unchanged until {@code http} writes
 * it as the error body. Every other exception becomes a 500 that reveals no internals.
 *
 * <p>A 422 lists all failing fields in {@code details}. Its {@code message} is the first of them in words, such as
 * "password must have 8 to 128 characters", so the message of a {@link dev.vestibule.error.Violation} must read well
 * after the name of its field. For an unknown field, the message suggests the nearest known one;
 * {@link dev.vestibule.error.NearestName} does this for the server's settings too.
 */
@NullMarked
package dev.vestibule.error;

import org.jspecify.annotations.NullMarked;
