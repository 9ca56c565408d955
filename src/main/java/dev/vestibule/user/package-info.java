/**
 * Users of a project: their fields, lists and search, and the endpoints that manage them. {@code user.imports} creates
 * users with the data of another system, {@code user.exports} writes them out in the same form.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>Totals are not counted but kept by triggers, in 32 rows for each project, so that sign ups do not wait for each
 *       other.
 *   <li>Search reads a table of its own, and {@link dev.vestibule.user.UserListStore} has one statement for each way:
 *       a scan from the newest user on for a term that many users match, an index of trigrams for one that few match.
 *       This code chooses and not the planner, which does not know the term.
 *   <li>A sign up or an update looks for a taken email before it hashes the password, only to save the hash. The unique
 *       index is what decides.
 * </ul>
 */
@NullMarked
package dev.vestibule.user;

import org.jspecify.annotations.NullMarked;
