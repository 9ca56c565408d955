/**
 * Writes everything in a database to one file, and restores it: for backups, for moving between the embedded PostgreSQL
 * and an external one, and for a new major version of PostgreSQL in the jar. The jar does not include pg_dump.
 *
 * <p><b>The file</b> is a zip, which any tool opens. For each table it has the lines of {@code COPY … TO STDOUT}, and
 * at the end a {@code manifest.json} with row counts and checksums, so a truncated file has no manifest. All tables are
 * read in one transaction, so they are consistent, while traffic continues. Tables and columns come from PostgreSQL's
 * catalog. The names of running nodes and the change feed are left out, since they mean nothing elsewhere. The master
 * secret is never in the file.
 *
 * <p><b>Restoring</b> first reads the file from end to end. An empty database is migrated to the file's schema, filled
 * in one transaction, and then migrated to the latest schema. What triggers maintain, such as counts, is loaded
 * unchanged. A last transaction gives the schema's history its name; before that, no server starts on the database.
 * Claims of webhook deliveries are released.
 *
 * <p>While a backup runs, a migration that changes a table waits for it, and requests wait for the migration. So
 * upgrade after the backup has ended.
 */
@NullMarked
package dev.vestibule.database.backup;

import org.jspecify.annotations.NullMarked;
