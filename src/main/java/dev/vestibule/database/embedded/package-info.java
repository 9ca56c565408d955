/**
 * A PostgreSQL of our own, for a start with no configuration at all.
 *
 * <p>{@link dev.vestibule.database.embedded.EmbeddedServer} is the only door. In the data folder lie {@code postgres}
 * (the database), {@code postgres.password}, {@code postgres.lock} (held while we run), {@code postgres.log} (what the
 * server said, passed on to our log and then dropped), {@code postgres-binaries} (the programs, unpacked once) and
 * {@code postgres.tmp} (half-made things, thrown away at each start).
 *
 * <p>The binaries are zonky's, and so is the question whether root may use them. Its {@code EmbeddedPostgres} is not
 * used, since it serves tests: it unpacks to a world-writable folder, never repairs a half-unpacked file, sweeps a
 * shared temporary folder for data to delete, ignores a server that dies while it starts, and loses the server's log.
 */
@NullMarked
package dev.vestibule.database.embedded;

import org.jspecify.annotations.NullMarked;
