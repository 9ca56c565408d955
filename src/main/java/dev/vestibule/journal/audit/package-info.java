/**
 * The audit log: who did what to whom, from where. It answers questions that people ask later, so it is separate from
 * webhooks (for programs) and from the request log (for operators).
 *
 * <p><b>Atomic with the change.</b> The entry of a change is written in the transaction of the change, so neither
 * exists without the other. An entry for something that changes nothing (a refused sign in) is queued in memory. One
 * statement every quarter of a second writes the whole queue, so an attack costs one statement for many entries. A
 * crash loses the entries that are still queued. Above a maximum, entries are dropped and counted, in a metric and in
 * an entry. The same happens to refused attempts beyond {@code audit.refusedPerDay} of a project. One row per project
 * counts them for all nodes, with one statement for a batch: a flood fills neither the log nor the disk, and one entry
 * an hour says how many are missing. Entries of changes are never dropped.
 *
 * <p><b>What is recorded</b> are the constants of {@link dev.vestibule.journal.Fact}; a test walks all routes and
 * requires an entry, or a reason for having none, of each route that changes something. Refreshes are recorded only if
 * {@code audit.refreshes} is set, and then through the queue: an open application refreshes every quarter of an hour,
 * which would be most of the log and says no more than the session's last activity. A session that expires is not
 * recorded either, since nobody does it.
 *
 * <p><b>Who did it.</b> While an owner impersonates a user, the actor is the owner, and {@code actingAs} in the
 * metadata is the user. So a search for a user's actions finds only what the user did.
 *
 * <p><b>What is in it.</b> Ids, not names: the account, the session, the key, the member. An account's email is never
 * in it. An email without an account appears as a keyed hash, which can be used to count attempts but not to identify
 * anyone. When a user is deleted, their entries stay until the retention ends, with IP addresses and user agents:
 * otherwise the log would lose who deleted whom. What happens to dashboard users themselves is in the log of the
 * built-in system project, which only the operator can read, in the database.
 *
 * <p><b>Append-only.</b> A trigger refuses UPDATE, DELETE and TRUNCATE, so that neither a bug in this server nor an
 * injected statement can change an entry; only the rows of a deleted project can be removed. It does not protect
 * against the owner of the tables, who can drop the trigger. The server's role is that owner, since it runs the
 * migrations; if you need stronger proof, export the log to a separate system.
 *
 * <p><b>Partitions</b> are months in UTC. The server creates them three months ahead, before it accepts traffic and
 * then every hour. An entry that fits none, for example from a node with a wrong clock, goes to a default partition, so
 * that no write fails. Retention drops whole months.
 *
 * <p><b>Reading</b> uses one index for each filter, newest first, and a cursor, so that page ten thousand costs as much
 * as the first. The total is counted up to 10,000. An export sends every entry that matches the filter, with the same
 * pages in one snapshot. The log records an export before its first line is sent.
 */
@NullMarked
package dev.vestibule.journal.audit;

import org.jspecify.annotations.NullMarked;
