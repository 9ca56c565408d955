/**
 * The connections to PostgreSQL, the migrations and the change feed; the embedded server has its own package below.
 *
 * <p><b>Reads and writes.</b> {@link dev.vestibule.database.Database#reads} pipelines short SELECTs over one connection
 * for each event loop. Everything that writes, locks or takes long goes through
 * {@link dev.vestibule.database.Database#writes}, where each statement has its own connection, so that a wait for a
 * lock or the disk delays no reader. A transaction uses only the connection that it receives: if it took a second one
 * from the same pool, it could wait for itself.
 *
 * <p><b>TLS.</b> With {@code sslmode=prefer} or {@code allow} each server is asked whether it offers TLS before the
 * client connects ({@code DatabaseHost}), since the client would leave a connection half open when the server refuses
 * TLS.
 *
 * <p><b>Batching.</b> {@link dev.vestibule.database.SharedStatement} sends the questions that arrive while a statement
 * is running together as the next one, or as a second one once there are enough of them. With one session per
 * statement, PostgreSQL checks 14,000 sessions a second on one core and refreshes 4,000; with 32 per statement, 100,000
 * and 80,000. An UPDATE of several sessions takes only unlocked rows: otherwise statements that lock the same sessions
 * in different orders would wait for each other until PostgreSQL ends one.
 *
 * <p><b>Failover.</b> Among several servers, only a primary on the newest timeline is used ({@code PrimarySearch}). A
 * node keeps that timeline only in memory: a node that starts while only an old primary answers uses it, and
 * connections to an old primary that continues next to a promoted standby stay open. So whatever promotes a standby
 * must fence the old primary. Statements that a failover cuts off get a 503 and are not retried, since they may have
 * been committed.
 *
 * <p><b>Engines.</b> The server asks for nothing that only some of the services offer which speak PostgreSQL. Amazon
 * Aurora refuses the functions of the write-ahead log by default, and so the timeline: there the primary is found by
 * its role alone, and Aurora's storage, which one server at a time can write to, is what stops a replaced one. The
 * system identifier is not read: some engines refuse it too, and it is the same on a standby and in a restored copy.
 * {@code mvn -Pengines verify} tests each supported major version and such a refusal.
 *
 * <p><b>Poolers.</b> In session mode nothing changes. In transaction mode, which {@code database.directUrl} indicates,
 * no statement can rely on the previous one's session: each is prepared without a name, for one use, right before it is
 * executed, and settings come from the role. Named prepared statements would need PgBouncer 1.21 and
 * {@code max_prepared_statements}, which the server cannot detect. Migrations hold a session lock, so they bypass the
 * pooler.
 *
 * <p><b>Change feed.</b> Caches of rows answer only while a heartbeat every 40 ms proves that this node has read every
 * change. A change is a row in the table project_changes, written in its transaction. Only rare changes write one,
 * never a sign in, refresh or sign out. The heartbeat reads the rows that its last snapshot did not see, whatever the
 * order of commits. The same statement proves that a primary answered, and which run of which server: by its start time
 * and address and by the session, or through a pooler by the time when its statistics were last reset, as they are
 * after a crash. So the heartbeat needs no connection of its own, and neither a pooler nor a failover can hide a
 * change: in case of doubt, the caches are emptied. On a node that has had no request for 10 seconds, heartbeats are
 * rare, and the first requests ask the database. Rows that another server has numbered, in a restored copy, are adapted
 * at each start. {@code NOTIFY} is not used: a commit that notifies blocks all others, and a listening connection can
 * be on the wrong server.
 *
 * <p><b>Leases.</b> A claim names the node that holds it, and a node that holds claims renews its name in the table
 * nodes every 2 seconds ({@link dev.vestibule.database.NodeLease}). Claims of a name that was not seen for 6 seconds
 * are free. A name that has expired is never used again. The table belongs to no project: each shard has its own nodes.
 *
 * <p><b>Shards.</b> Projects can be spread over several databases, each of them a plain PostgreSQL with the whole
 * schema ({@link dev.vestibule.database.Shard}). No statement and no transaction reaches over two. A request enters the
 * database of its project as soon as it has named it, by its key, its token, the slug of a page or an id in the path:
 * that is kept in its context ({@link dev.vestibule.database.Entered}), from which
 * {@link dev.vestibule.database.Database} finds the connections. So code that works for one project knows nothing of
 * shards, and only what is at home is asked of {@link dev.vestibule.database.Database#home}: dashboard accounts,
 * memberships, invitations and slugs. Each database has a heartbeat, maintenance and deliverers of its own, so one that
 * is down is felt by its own projects alone; even home is: a node remembers where projects are. With one database
 * nothing is looked up or kept.
 *
 * <p><b>Moves.</b> The database that has a project is the authority for it: its row in {@code projects} says that the
 * project is there, that it is being copied, or where it has gone. Nodes remember the place only as a hint, and follow
 * the rows. While a project is copied nobody else may change it: each heartbeat reads which projects that are, and a
 * node whose heartbeat has been silent for two seconds refuses the requests of that database, so a move that waits
 * longer than that, and than a statement can wait for a connection, has the project for itself. What a refresh has left
 * to read once it has committed is not refused: without the answer, the client's token would count as stolen.
 *
 * <p><b>Plans.</b> No statement reads a big table from end to end; PlansIT explains all of them, with and without
 * statistics. All planner methods are enabled, and five things are done:
 *
 * <ul>
 *   <li>{@code plan_cache_mode = force_generic_plan} on each new connection, set after the connection starts, since
 *       PgBouncer refuses it as a startup parameter. With {@code auto}, PostgreSQL plans the search and the lists of
 *       users (FIND, SCAN and PAGE of UserListStore) at each use: a search of 300,000 users took 12 ms instead of 9.
 *       All other measured statements eventually get the generic plan anyway.
 *   <li>But filtered lists of users are planned at each use ({@link dev.vestibule.database.Database#planEachUse}). They
 *       may read every user of a project, and where one project has nearly all users, the plan for all projects reads
 *       the whole table: beside ten million users, the list of an empty project took 2.6 seconds.
 *   <li>{@code parallel_workers = 0} on the table user_search. With workers, that search takes 15 to 21 ms. No other
 *       statement gets workers, even with thresholds that are twenty times lower.
 *   <li>{@code DISCARD PLANS} at most once a second on the deliverer's connections
 *       ({@link dev.vestibule.database.Database#withRecentPlans}). A plan for a nearly empty table reads all of it, and
 *       is kept until autovacuum analyzes the table, up to a minute. In a burst of 100,000 deliveries, a claim with
 *       that plan takes 700 to 1,700 ms instead of 20. Switching off sequential scans, sorts, hash and merge joins
 *       instead is worse: after an ANALYZE of the empty table, writing 1,000 results took over a minute. Planning at
 *       each use costs up to 1.5 ms per claim.
 *   <li>{@link dev.vestibule.database.GrownTables} analyzes tables that have quadrupled, every two seconds. A new
 *       server plans the look-up of a session's user while there is nobody, through the index of emails, since all
 *       indexes cost the same then; with 1,000 users, that read half of them, 150 µs instead of 10, until autovacuum
 *       came.
 * </ul>
 *
 * <p><b>Stores.</b> Only stores contain SQL. A statement is a constant in a text block directly above its method, so
 * that it is prepared once for each connection; {@link dev.vestibule.database.Rows} maps the result. Every statement
 * names the project, and SourcesTest checks this: one forgotten predicate would leak data between customers.
 *
 * <p><b>Locks</b> are taken in a fixed order: a user, then the user's rows, and finally the counts, which triggers
 * update.
 *
 * <p><b>Migrations</b> are the files in {@code db/migration}. {@code V1__schema.sql} is the whole schema, and is edited
 * until the first release. After that, a released file never changes: a change is {@code V2__what_it_does.sql} and so
 * on, and a test migrates from each released schema with data in it. Nodes of the previous release continue to work
 * while a new one migrates, so a migration only adds, and a later release removes. A starting node refuses a schema
 * that is newer than it knows: it might write what the newer release does not expect, and that combination is untested.
 */
@NullMarked
package dev.vestibule.database;

import org.jspecify.annotations.NullMarked;
