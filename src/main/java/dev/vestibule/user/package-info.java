/**
 * Users of a project: their fields, lists and search, and the endpoints that manage them. {@code user.imports} creates
 * users with the data of another system, {@code user.exports} writes them out in the same form.
 *
 * <p>Decisions that might surprise you:
 *
 * <ul>
 *   <li>Triggers maintain the totals, in 32 rows for each project, so that sign ups do not wait for each other. The
 *       totals of searches are exact too, since the API promises that to the published SDKs and the console uses them
 *       for its pages: {@link dev.vestibule.user.SearchTotals} counts once and then only the added users. A count up to
 *       a limit, like that of the audit log, would change the API.
 *   <li>Search reads a table of its own, and {@link dev.vestibule.user.UserListStore} has one statement for each
 *       strategy: a scan from the newest user on for a term that many users match, a trigram index for one that few
 *       match. This code chooses, not the planner, which does not know the term.
 *   <li>A sign up or an update looks for a taken email before it hashes the password, only to save the hash. The unique
 *       index decides.
 *   <li>{@code /v1/backend/users} is a second path to the same operations, in the form that the published SDK for
 *       servers expects. It has methods of its own only for responses that differ; they share the implementation.
 *   <li>The data that an application keeps about a user for itself (private metadata, the external id) is in
 *       {@link dev.vestibule.user.ManagedUser}, which only operations behind the secret key return. Webhooks contain
 *       the plain user: all members of the project can read their log.
 *   <li>A list continues from a cursor or an offset. A cursor names the last user, and the statement continues in the
 *       index from there, so page 10,000 costs as much as the first; it is bound to its project and its search, and
 *       refused for any other list.
 * </ul>
 */
@NullMarked
package dev.vestibule.user;

import org.jspecify.annotations.NullMarked;
