/**
 * The activity in a project: sign ups, sign ins, refused sign ins, active users and webhook deliveries, by the hour,
 * for the overview that its members see.
 *
 * <p><b>Counting costs a request no statement.</b> {@link dev.vestibule.project.statistics.Activity} counts in memory,
 * on each node and for each project, and writes a few seconds later: one statement adds the counts of many projects to
 * those that other nodes have written. A stop writes the rest; a crash loses the last seconds, which is why only charts
 * may depend on these counts. The number of projects in memory is limited. Activity that does not fit is not counted,
 * and a log line says how much was lost.
 *
 * <p><b>Active users</b> are those who signed in, signed up, refreshed, or sent a request with their access token. To
 * count distinct users of an hour, a day and a month from the same rows, and over several nodes, a row has a set that
 * can be merged: the hashes themselves of up to 127 users, so that small numbers are exact, and above that an
 * UltraLogLog sketch of 1 KiB with a standard error of 2.4 %. A table of who was active when would be exact, but could
 * grow every hour by as many rows as a project has users. The sketch is hash4j's: 432 KB, no dependencies, and a state
 * that is an array of bytes. Apache DataSketches was tried too: it starts to estimate with fewer users, and none of its
 * versions runs on both Java 17 and 25. The nodes merge their sets under the lock of the row, so there is one row for
 * each project and hour.
 *
 * <p>There are 720 rows for a month, found by the primary key. They are removed some time after that, and when the
 * project is deleted. An export of a project omits them: they describe the activity on that server.
 */
@NullMarked
package dev.vestibule.project.statistics;

import org.jspecify.annotations.NullMarked;
