/**
 * The connections to PostgreSQL, the migrations and the change feed; the embedded server is in a room of its own below.
 *
 * <p><b>Two doors.</b> {@link dev.vestibule.database.Database#reads} pipelines short SELECTs over one connection for
 * each event loop. Whatever writes, locks or takes long goes through {@link dev.vestibule.database.Database#writes},
 * where each statement has a connection to itself, so that a wait for a lock or the disk delays no reader. A
 * transaction uses only the connection that it is given: a second one from the same pool could wait for itself.
 *
 * <p><b>TLS.</b> With {@code sslmode=prefer} or {@code allow} each server is asked whether it offers TLS before the
 * client connects ({@code DatabaseHost}), since the client would leave a connection half open where it is refused.
 *
 * <p><b>Together.</b> {@link dev.vestibule.database.SharedStatement} asks the questions that arrive while a statement
 * is under way together as the next one. One session a statement, PostgreSQL checks 14,000 a second on one core and
 * refreshes 4,000; with 32 a statement 100,000 and 80,000. An UPDATE of several sessions takes only rows that are
 * free: without that, statements that meet the same sessions in other orders wait for each other until PostgreSQL ends
 * one.
 *
 * <p><b>Failover.</b> Of several servers only a primary of the newest timeline is used ({@code PrimarySearch}). The
 * node keeps that timeline in memory alone: one that starts while only an old primary answers takes it, and
 * connections to a primary that goes on beside a promoted standby stay, so what promotes must fence the old primary.
 * Statements that a failover cuts off are answered with 503 and not repeated, since they may have been committed.
 *
 * <p><b>Poolers.</b> In session mode nothing changes. In transaction mode, which {@code database.directUrl} tells of, no
 * statement may rely on the last one's session: each is prepared without a name, for one use, right before it is
 * executed, and the role brings its settings. Prepared statements with names would need PgBouncer 1.21 and {@code
 * max_prepared_statements}, which the server cannot see. Migrations hold a lock of the session, so they go past it.
 *
 * <p><b>Change feed.</b> Caches of rows answer only while a heartbeat every 40 ms proves that this node has read every
 * change. A change is a row in the table project_changes, written in its transaction. Only rare changes write one,
 * never a sign in, refresh or sign out. The heartbeat reads the rows that its last snapshot did not see, whatever the
 * order of commits. The same statement proves that a primary answered, and which one, so that it needs no connection
 * of its own, and neither a pooler nor a failover can hide a change: after a doubt the caches are empty. On a node
 * that has had no request for 10 seconds, heartbeats are rare, and the first requests ask the database. There is no
 * {@code NOTIFY}: a commit that notifies locks out all others, and a connection that listens can be on the wrong
 * server.
 *
 * <p><b>Presence.</b> What a node claims names it, and a node that holds claims renews its name in the table nodes
 * every 2 seconds ({@link dev.vestibule.database.Presence}); claims of a name that was not seen for 6 are free. A name
 * that fell silent is never used again. The table belongs to no project: a shard would have its own nodes.
 *
 * <p><b>Plans.</b> No statement reads a big table from end to end; PlansIT explains all of them, with and without
 * statistics. The planner's methods are all on, and three things are set:
 *
 * <ul>
 *   <li>{@code plan_cache_mode = force_generic_plan} on the connections, set when they are new, since PgBouncer
 *       refuses it as a parameter of their start. With {@code auto}, PostgreSQL plans the search and the lists of users (FIND, SCAN and PAGE of UserListStore) at each use:
 *       a search of 300,000 users took 12 ms instead of 9. All other statements that were measured get the generic
 *       plan in the end anyway.
 *   <li>{@code parallel_workers = 0} on the table user_search. With workers that search takes 15 to 21 ms. No other
 *       statement gets workers, even if their thresholds are twenty times lower.
 *   <li>{@code DISCARD PLANS} at most once a second on the deliverer's connections ({@link
 *       dev.vestibule.database.Database#withRecentPlans}). A plan for a nearly empty table reads all of it, and is kept
 *       until autovacuum analyzes the table, up to a minute. In a burst of 100,000 deliveries a claim by such a plan
 *       takes 700 to 1,700 ms instead of 20. To switch off sequential scans, sorts, hash and merge joins instead is
 *       worse: after an ANALYZE of the empty table, writing 1,000 results took over a minute. To plan at each use costs
 *       up to 1.5 ms a claim.
 * </ul>
 *
 * <p><b>Stores.</b> Only stores speak SQL. A statement is a constant in a text block directly above its method, so that
 * it is prepared once for each connection; {@link dev.vestibule.database.Rows} maps the result. Every statement names
 * the project, and SourcesTest looks for it: one forgotten predicate would be a leak between customers.
 *
 * <p><b>Locks</b> are taken in one order: a user, then the user's rows, and last the counts, which triggers update.
 *
 * <p><b>Migrations</b> are the files in {@code db/migration}. {@code V1__schema.sql} is the whole schema, and is edited
 * until the first release. From then on a released file never changes: a change is {@code V2__what_it_does.sql} and so on,
 * and a test migrates from each released schema with data in it. Nodes of the previous release go on working while a new
 * one migrates, so a migration adds first, and a later release removes. A node that starts refuses a schema that is newer
 * than it knows: it may write what the newer one does not expect, and nobody has tried whether.
 */
@NullMarked
package dev.vestibule.database;

import org.jspecify.annotations.NullMarked;
