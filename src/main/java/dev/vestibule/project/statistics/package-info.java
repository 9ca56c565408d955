/**
 * How much goes on in a project: sign ups, sign ins, refused ones, active users and deliveries of webhooks, by the hour, for
 * the overview that its members look at.
 *
 * <p><b>Counting costs a request no statement.</b> {@link dev.vestibule.project.statistics.Activity} counts in memory, on
 * each node and for each project, and writes a few seconds later: many projects by one statement, which adds to what other
 * nodes have written. A stop writes the rest; a crash loses the last seconds, which is why nothing but plots may rest on
 * these counts. How many projects are held in memory is bounded. What does not fit is not counted, and a line in the log
 * says how much that was.
 *
 * <p><b>Active users</b> are those who signed in, signed up, refreshed, or sent a request with their access token. To count
 * distinct users of an hour, of a day and of a month from the same rows, and over several nodes, a row keeps a set that can
 * be merged: the hashes themselves of up to 127 users, so that small numbers are exact, and above that an UltraLogLog sketch
 * of 1 KiB with a standard error of 2.4 %. A table of who was active when would be exact, and would grow by as many rows in
 * an hour as a project has users. The sketch is hash4j's: 432 KB, no dependencies, and a state that is an array of bytes.
 * Apache DataSketches was tried too: it estimates from fewer users on, and none of its versions runs on Java 17 and on 25.
 * The nodes merge their sets under the lock of the row, so there is one row for each project and hour.
 *
 * <p>There are 720 rows for a month, found by the primary key. They are removed some time after that, and when the project
 * is deleted. An export of a project leaves them behind: they tell what happened on that server.
 */
@NullMarked
package dev.vestibule.project.statistics;

import org.jspecify.annotations.NullMarked;
