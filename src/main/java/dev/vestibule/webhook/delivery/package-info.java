/**
 * Sends the deliveries that wait in the database. The path of a delivery:
 * {@link dev.vestibule.webhook.delivery.ClaimStore} claims rows for this node,
 * {@link dev.vestibule.webhook.delivery.Backlog} decides which one is next,
 * {@link dev.vestibule.webhook.delivery.DeliverySender} signs and sends it, and
 * {@link dev.vestibule.webhook.delivery.ResultWriter} writes the results in batches;
 * {@link dev.vestibule.webhook.delivery.Deliverer} drives all four.
 *
 * <p>Claims are taken with {@code FOR UPDATE SKIP LOCKED}, so nodes share the work. A result counts only while the
 * claim holds, unless the endpoint accepted the delivery. When a project changes, waiting claims are given back and
 * read again, so nothing goes to an old URL. The event bus and a timer only wake the deliverer up; the table is the
 * source of truth.
 *
 * <p>A claim has an end and names its holder ({@link dev.vestibule.database.NodeLease}). While a node holds claims, it
 * renews its name every 2 seconds, by the database's clock; after 6 seconds of silence, other nodes take its claims
 * without waiting for their end. The node itself starts no attempts under a name that it has not renewed for 4 seconds,
 * by its own clock, and continues under a new name. So a node that is killed, cut off or paused delays its endpoints by
 * 6 seconds and the poll interval, and a delivery is sent twice only if its attempt was in flight at that time. After
 * an outage of the database, when all names are old, no node takes claims from others for 3 seconds. A session-level
 * advisory lock would need no renewal, but PostgreSQL would keep it for as long as TCP takes to notice that a machine
 * lost its power, and it would tie the claims to one connection.
 *
 * <p>Fixed limits isolate the endpoints from each other. An endpoint gets {@code webhooks.inFlightPerEndpoint} attempts
 * at once and up to a fifth of the free room for claims. Until it has accepted a delivery, and after an attempt that
 * failed, it gets 4 attempts and 20 claims. It never takes more than half of the free places. Four mechanisms were
 * removed (slow start by doubling, a separate set of proven endpoints, smaller portions for failing ones, and giving
 * back the claims of a slow one): the tests with ten dead endpoints among a thousand and with hostile endpoints pass
 * without them.
 *
 * <p>The lower limit for endpoints that do not accept is needed: with one limit for all, a share small enough that a
 * dead endpoint holds few claims (a twentieth) sent 15 to 20 % fewer deliveries a second. With the lower limit and a
 * fifth for healthy ones the design is as fast as the one with slow start that it replaced: in rounds of 50,000
 * deliveries on two cores, 15,362, 14,715 and 14,603 a second compared with 13,654, 13,868 and 14,886 (rounds three to
 * five; a bare client loop sends 42,000 to 61,000). The node claims more when half of a queue is used up, so that few
 * statements claim many deliveries.
 *
 * <p>A delivery costs 52 to 61 microseconds of Java, 43 to 46 of PostgreSQL and 17 to 20 of the receiver's CPU (a bare
 * client: 22 to 25 and 16). An alternative was built and measured too: a lease on an endpoint, which reads deliveries
 * without marking them. It took PostgreSQL 37 to 40 microseconds instead of 45 to 46, and sent no more deliveries a
 * second, so it was left out. Reading four times as far ahead changed nothing either.
 *
 * <p>Two more measured facts: half of each page of {@code webhook_deliveries} is left free, because a claim that moves
 * a row to another page costs an entry in every index (43 instead of 10 microseconds); and 100 or more results are
 * written at once, fewer after 25 milliseconds, because always waiting costs 20 % of the throughput.
 */
@NullMarked
package dev.vestibule.webhook.delivery;

import org.jspecify.annotations.NullMarked;
