/**
 * Users of a project: their fields, lists and search, and the endpoints that manage them. {@code user.imports} creates
 * users with the data of another system, {@code user.exports} writes them out in the same form.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>Totals are not counted but kept by triggers, in 32 rows for each project, so that sign ups do not wait for each
 *       other. Those of searches are exact too, since the API promises it to the published SDKs and the console pages by
 *       them: {@link dev.vestibule.user.SearchTotals} counts once and then only what was added. A count up to a limit, as
 *       the audit log has, would change the API.
 *   <li>Search reads a table of its own, and {@link dev.vestibule.user.UserListStore} has one statement for each way:
 *       a scan from the newest user on for a term that many users match, an index of trigrams for one that few match.
 *       This code chooses and not the planner, which does not know the term.
 *   <li>A sign up or an update looks for a taken email before it hashes the password, only to save the hash. The unique
 *       index is what decides.
 *   <li>{@code /v1/backend/users} is a second door to the same operations, in the form that the published SDK for
 *       servers expects. Only where its answers differ is there a method of its own, which shares the other one's work.
 *   <li>What an application keeps about a user for itself (private metadata, the external id) is in
 *       {@link dev.vestibule.user.ManagedUser}, which only operations behind the secret key return. Webhooks hold the plain
 *       user: their log is open to all members of the project.
 *   <li>A list goes on by a cursor or by an offset. A cursor names the last user and goes down the index from there, so page
 *       10,000 costs what the first does; it also tells its project and its search, and is refused elsewhere.
 * </ul>
 */
@NullMarked
package dev.vestibule.user;

import org.jspecify.annotations.NullMarked;
