/**
 * Sessions: opening and ending them with their events, looking them up, refreshing and listing them.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A session that has ended has no row. Expired rows stay until a maintenance task removes them, and every
 *       statement ignores them.
 *   <li>{@link dev.vestibule.session.SessionStore} records the events itself, so no session is opened or ended without
 *       them. {@link dev.vestibule.session.ActiveSessionStore} has the statements that need no events; they are the
 *       busiest on the server.
 *   <li>{@link dev.vestibule.session.ActiveSessions} and {@link dev.vestibule.session.SessionRefreshes} look up the
 *       sessions of many requests in one statement, and never from memory: all nodes refuse a session as soon as it has
 *       ended on one of them. A cache would have to be told about every sign out.
 *   <li>A session has two ends: {@code refreshTokenTtl} after its last refresh, and {@code maxLifetime} after it began.
 *       The row holds the earlier one. When a project lowers its maximum, existing rows are not updated: the next
 *       refresh of each session sets its end, which may already have passed.
 *   <li>A session in which an owner of the project acts as the user is a row like any other, so that whatever ends
 *       sessions ends it too; two columns say who acts and until when at the latest. It ends when the owner loses the
 *       right to it, in the same transaction. It does not take the place of another session, and does not count as a
 *       sign in of the user.
 *   <li>No index contains the end of a session, so a refresh writes to none. Maintenance finds expired sessions by
 *       their {@code sweep_at}, which is never after their end, and moves it forward if the session was refreshed
 *       since.
 *   <li>Locks are taken in one order: the user's row, then the sessions, then the counts that triggers keep. So ending
 *       all sessions of a user (by a ban, a new password or a deletion) misses no concurrent sign in, and cannot
 *       deadlock.
 * </ul>
 */
@NullMarked
package dev.vestibule.session;

import org.jspecify.annotations.NullMarked;
