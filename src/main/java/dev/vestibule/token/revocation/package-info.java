/**
 * The feed of sessions and grants that ended before their tokens did, for applications that verify tokens on their own.
 *
 * <p>Decisions that may surprise:
 *
 * <ul>
 *   <li>Triggers of the database write the rows, when rows of sessions and grants are deleted. So whatever ends one is
 *       in the feed, and a statement cannot forget it.
 *   <li>Of a deleted client with more than a thousand grants, the feed tells of the others as their rows are removed, a
 *       moment later: this server has refused them since the deletion. One entry for all would be one that verifiers do
 *       not know.
 *   <li>A cursor holds what the last answer could see: a snapshot of the database, as the change feed reads it. So a
 *       transaction that commits late is not missed, and one that lasts for hours delays no other. A cursor of another
 *       server, or of the time before a failover, starts from the beginning: to be told twice does no harm.
 *   <li>A request that waits holds no connection to the database. The heartbeat of the change feed sees the rows of all
 *       projects and wakes those who wait for one.
 *   <li>An answer without news is as good as one with: it says that nothing had ended by then. That is why verifiers
 *       wait less than a second, and refuse tokens when there is no answer.
 *   <li>A row is kept for the longest lifetime that a token of the project can have, whatever the ended session's
 *       tokens had, and so are the settings of the time before a lifetime became shorter. A lifetime in each session's
 *       row would cost every refresh.
 * </ul>
 */
@NullMarked
package dev.vestibule.token.revocation;

import org.jspecify.annotations.NullMarked;
