/**
 * The audit log: who did what to whom, from where. It is for people who ask afterwards, so it is apart from webhooks
 * (which tell programs) and from the log of requests (which operators read).
 *
 * <p><b>Written with the change.</b> The entry of a change is written in its transaction, so neither is there without the
 * other: by {@link dev.vestibule.audit.AuditTrail#record}, which handlers get from {@code access.Auditor}, or as one more
 * part of the statement on the hot path of a sign in. What changes nothing (a refused sign in) is noted in memory
 * and written with all others of a quarter of a second by one statement, so an attack costs one for many. A crash loses
 * what was noted and not written. Above a maximum, entries are dropped and counted, in a metric and in an entry. So are
 * refused attempts beyond {@code audit.refusedPerDay} of a project, which a row for all nodes counts, a batch by one statement:
 * a flood fills neither the log nor the disk, and an entry an hour says how much is missing. What changes something is
 * always written.
 *
 * <p><b>What is told</b> are the constants of {@link dev.vestibule.audit.AuditEvent}; a test walks all routes and asks
 * of each that changes something for its entry or a reason. Refreshes are told only where {@code audit.refreshes} asks for
 * them, from memory: an application that is open refreshes each quarter of an hour, which would be most of the log, and says
 * no more than the session's last activity. Nor is the end of a session by its own time told, since nobody does it.
 *
 * <p><b>Who did it.</b> In a session in which an owner acts as a user it is the owner; {@code actingAs} in the metadata is
 * the user. So a search for what the user did finds nothing that they did not.
 *
 * <p><b>What is in it.</b> Ids, not names: the account, the session, the key, the member. An account's email is never in
 * it; of an email without an account there is a keyed hash, by which attempts can be counted and nobody can be found.
 * When a user is deleted their entries stay until the retention ends, with addresses and user agents: who deleted whom
 * would be lost otherwise. What happened to dashboard users themselves is in the log of the built-in system project,
 * which only the operator reads, in the database.
 *
 * <p><b>Append-only.</b> A trigger refuses UPDATE, DELETE and TRUNCATE, so that neither a mistake in this server nor an
 * injected statement changes what was written; only the rows of a deleted project can be removed. It does not protect
 * from the owner of the tables, who can drop the trigger. The server's role is that owner, since it migrates; who must be
 * able to prove more sends the export to a place of its own.
 *
 * <p><b>Partitions</b> are months in UTC, made three months ahead before there is traffic and then every hour. What
 * fits none, as of a node with a wrong clock, goes to a default partition, so that no write fails. Retention drops
 * whole months.
 *
 * <p><b>Reading</b> goes by one index for each filter, newest first, and by a cursor, so that page ten thousand costs
 * what the first does. The total is counted up to 10,000. An export sends all that a filter finds, by the same pages in one
 * snapshot, and is itself told before its first line.
 */
@NullMarked
package dev.vestibule.audit;

import org.jspecify.annotations.NullMarked;
