/**
 * A PostgreSQL server inside this process's data folder, for a start without any configuration.
 *
 * <p>{@link dev.vestibule.database.embedded.EmbeddedServer} is the entry point, and {@link
 * dev.vestibule.database.embedded.RunningServer} finds the server of another process for a command. The data folder holds {@code
 * postgres} (the database), {@code postgres.password}, {@code postgres.lock} (held while we run), {@code postgres.log}
 * (PostgreSQL's log, forwarded to ours and then dropped), {@code postgres-binaries} (the programs, unpacked once),
 * {@code postgres.tmp} (unfinished files, deleted at each start), and after an upgrade {@code postgres-17} or such.
 *
 * <p>A committed row survives a {@code kill -9} and a power loss: {@code fsync} and {@code synchronous_commit} are on.
 * Two servers on one folder are impossible; the second one says so and exits. A PostgreSQL that dies is restarted on the
 * same port, and one that a killed run has left behind is stopped first.
 *
 * <p>Data of an older major version is moved at the start: the older programs, which are kept for that, serve it once
 * more while it is written to a file, and a new database is filled from the file under a temporary name. Then two
 * renames put it in the place of the older one. A start after a crash between them completes them, and a start after a
 * crash before them begins again.
 *
 * <p>The binaries come from zonky, and so does the check whether root can run them. Its {@code EmbeddedPostgres} is not
 * used, because it is made for tests: it unpacks to a world-writable folder, never repairs a half-unpacked file, searches
 * a shared temporary folder for data to delete, ignores a server that dies while it starts, and loses the server's log. The slim jar has neither binaries nor the libraries that unpack them, so nothing here runs in it but the
 * question whether they are there.
 */
@NullMarked
package dev.vestibule.database.embedded;

import org.jspecify.annotations.NullMarked;
