/**
 * Sessions: opening and ending them with their events, looking them up, refreshing and listing them.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>A session that has ended has no row. Expired rows stay until a maintenance task removes them, and every statement
 *       ignores them.
 *   <li>{@link dev.vestibule.session.SessionStore} records the events itself, so no session is opened or ended without
 *       them. {@link dev.vestibule.session.ActiveSessionStore} has the statements that need none, which are the busiest
 *       of the server.
 *   <li>{@link dev.vestibule.session.ActiveSessions} and {@link dev.vestibule.session.SessionRefreshes} ask for the sessions of many requests by one statement, and not
 *       at all from memory: a session that has ended on one node is refused by all at once. A cache would have to hear of
 *       each sign out.
 *   <li>A session has two ends: {@code refreshTokenTtl} after its last refresh, and {@code maxLifetime} after it began. The
 *       row holds the nearer one. When a project lowers its maximum, rows are not searched: the next refresh of each
 *       session sets its end, which may have passed then.
 *   <li>A session in which an owner of the project acts as the user is a row like any other, so that whatever ends sessions
 *       ends it too; two columns say who and until when at the latest. It ends with the owner's right to it, in that
 *       change's transaction. It takes no other session's place, and is none of the user's sign ins.
 *   <li>The end of a session is in no index, so a refresh writes to none. Maintenance finds expired sessions by their
 *       {@code sweep_at}, which is never after their end, and moves that on where the session was refreshed since.
 *   <li>Locks are taken in one order: the user's row, then the sessions, then the counts that triggers keep. So ending
 *       all sessions of a user (by a ban, a new password or a deletion) meets every concurrent sign in, without
 *       deadlocks.
 * </ul>
 */
@NullMarked
package dev.vestibule.session;

import org.jspecify.annotations.NullMarked;
