/**
 * Who sends a request, and whether the route allows it. A route declares a {@link dev.vestibule.access.Guard};
 * {@link dev.vestibule.access.GuardHandler} has {@link dev.vestibule.access.Authenticator} find the
 * {@link dev.vestibule.access.Caller}, and handlers read the caller from the request.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>The signature of an access token is verified once and the result cached by the exact token, but its session is
 *       looked up for every request, in one statement. So every node refuses a revoked session at once.
 *   <li>401 means that credentials are missing or invalid, 403 that they are valid but do not allow this. A project
 *       that a dashboard user is not a member of is a 404, like one that does not exist, so that nobody can probe for
 *       ids.
 *   <li>Credentials of two projects in one request are a 403, even if either would be enough on its own.
 *   <li>{@code allowedOrigins} restricts the pages of a project's users, not servers. For dashboard users, only pages
 *       of the server itself and of {@code dashboard.allowedOrigins} can call the API, including its public paths.
 *   <li>A page of an origin that is not allowed can read its error, a constant text, so that its developer sees the
 *       reason. That is why its preflight succeeds; the request itself is refused before anything is done.
 *   <li>Management operations refuse unknown query parameters, and unknown fields of a body; public ones ignore both,
 *       since clients of many versions send them.
 * </ul>
 */
@NullMarked
package dev.vestibule.access;

import org.jspecify.annotations.NullMarked;
