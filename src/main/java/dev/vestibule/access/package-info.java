/**
 * Who sends a request, and whether the route allows it. A route declares a {@link dev.vestibule.access.Guard}; {@link
 * dev.vestibule.access.GuardHandler} has {@link dev.vestibule.access.Authenticator} find the {@link
 * dev.vestibule.access.Caller}, and handlers read the caller from the request.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>The signature of an access token is verified once and remembered by the exact token, but its session is looked
 *       up for every request, in one statement. So what was revoked is refused by every node at once.
 *   <li>401 means that credentials are missing or not good, 403 that they are good but not for this. A project that a
 *       dashboard user is not a member of is a 404, like one that does not exist, so that nobody can try out ids.
 *   <li>Credentials of two projects in one request are a 403, even if either would be enough by itself.
 *   <li>{@code allowedOrigins} binds the pages of a project's users; it is not asked of servers. For dashboard
 *       users the pages of the server itself and of {@code dashboard.allowedOrigins} alone may call, by public paths too.
 *   <li>A page of an origin that is not allowed may read its refusal, a constant text, so that its developer sees the reason.
 *       For that its preflight succeeds; the request itself is refused before anything is done.
 *   <li>Management operations refuse query parameters that they do not know, as they do fields of a body; public ones
 *       ignore both, since clients of many versions send them.
 * </ul>
 */
@NullMarked
package dev.vestibule.access;

import org.jspecify.annotations.NullMarked;
