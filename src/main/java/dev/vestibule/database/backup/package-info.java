/**
 * Everything in a database as one file, and back: for backups, for moving from the embedded PostgreSQL to a given one or
 * back, and for a new major version of PostgreSQL in the jar. There is no pg_dump in it.
 *
 * <p><b>The file</b> is a zip, which any tool opens: for each table the lines of {@code COPY … TO STDOUT}, and last a
 * {@code manifest.json} with rows and checksums, so that a torn file is known by having none. All tables are read in one
 * transaction, so they are of one moment; traffic goes on. Tables and columns come from PostgreSQL's catalogue. Left out
 * are the names of running nodes and the change feed, which mean nothing elsewhere. The master secret is never in it.
 *
 * <p><b>Restoring</b> first reads the file from end to end. An empty database is migrated to the file's schema, filled
 * in one transaction, and migrated on. What triggers keep, such as counts, is loaded as it was. A last transaction gives
 * the schema's history its name, and before it no server starts there. Claims of webhook deliveries are released.
 *
 * <p>While a backup runs, a migration that changes a table waits for it, and requests wait for the migration: upgrade
 * when it has ended.
 */
@NullMarked
package dev.vestibule.database.backup;

import org.jspecify.annotations.NullMarked;
