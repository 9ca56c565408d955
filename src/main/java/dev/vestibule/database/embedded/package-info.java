/**
 * A PostgreSQL server in this process's data folder, so that the server starts without any configuration.
 *
 * <p>{@link dev.vestibule.database.embedded.EmbeddedServer} is the entry point, and
 * {@link dev.vestibule.database.embedded.RunningServer} finds the server of another process for a command. The data
 * folder holds {@code postgres} (the database), {@code postgres.password}, {@code postgres.lock} (held while we run),
 * {@code postgres.log} (PostgreSQL's log, forwarded to ours and then dropped), {@code postgres-binaries} (the programs,
 * unpacked once), {@code postgres.tmp} (unfinished files, deleted at each start), and after an upgrade, for example,
 * {@code postgres-17}.
 *
 * <p>A committed row survives a {@code kill -9} and a power loss: {@code fsync} and {@code synchronous_commit} are on.
 * Two servers cannot run on one folder; the second one says so and exits. If PostgreSQL dies, it is restarted on the
 * same port. If an earlier process was killed and left PostgreSQL running, that one is stopped first.
 *
 * <p>Data of an older major version is moved at the start: the older programs, which are kept for this, serve it once
 * more while it is written to a file, and a new database under a temporary name is filled from the file. Then two
 * renames replace the older database. After a crash between the renames, the next start completes them; after a crash
 * before them, it begins again.
 *
 * <p>The binaries come from zonky, and so does the check whether root can run them. We do not use its
 * {@code EmbeddedPostgres}, because it is made for tests: it unpacks to a world-writable folder, never repairs a partly
 * unpacked file, searches a shared temporary folder for data to delete, ignores a server that dies while it starts, and
 * loses the server's log. The slim jar has neither the binaries nor the libraries that unpack them, so there the only
 * code of this package that runs is the check whether they exist.
 */
@NullMarked
package dev.vestibule.database.embedded;

import org.jspecify.annotations.NullMarked;
