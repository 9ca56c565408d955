/**
 * Creates one or many users with the data of another system, including their password hashes.
 *
 * <p>An import runs no faster than its slowest part: lines are read only while few are waiting, each batch is one
 * statement, and the response is buffered up to a limit if the client does not read it. A client that sends no whole
 * line for {@code imports.lineSeconds} loses its import, since few can run at once. Rows are inserted in the order of
 * emails, so that two simultaneous imports seldom deadlock. Plain passwords are hashed one after the other and only
 * when the hashing pool has room, so that sign ins go first. After 1,000 users, 10,000 users and so on the tables are
 * analyzed, since a plan for empty tables gets slower with every user.
 *
 * <p>A user keeps the id from the other system, whatever UUID version it is. It must be free in the project, where it
 * is part of the primary key. Other projects do not matter, since nothing in the schema is unique across them; so the
 * users of one project can be copied to another on the same server. Lists are ordered by the time of creation because
 * of these ids.
 */
@NullMarked
package dev.vestibule.user.imports;

import org.jspecify.annotations.NullMarked;
