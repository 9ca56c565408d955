/**
 * Sends the deliveries that wait in the database. The way of a delivery: {@link
 * dev.vestibule.webhook.delivery.ClaimStore} claims rows for this node, {@link dev.vestibule.webhook.delivery.Backlog}
 * decides which is next, {@link dev.vestibule.webhook.delivery.DeliverySender} signs and sends it, and {@link
 * dev.vestibule.webhook.delivery.ResultWriter} writes the results in batches; {@link
 * dev.vestibule.webhook.delivery.Deliverer} drives all four.
 *
 * <p>Claims are taken with {@code FOR UPDATE SKIP LOCKED}, so nodes share the work. A result counts only while the claim
 * holds, unless the endpoint accepted the delivery. When a project changes, waiting claims are given back and read again, so nothing goes to an old
 * URL. The event bus and a timer only wake the deliverer up; the table is the truth.
 *
 * <p>A claim has an end and names its holder ({@link dev.vestibule.database.Presence}). While a node holds
 * claims it shows every 2 seconds, by the database's clock, that its name is alive; after 6 seconds of silence others
 * take what it had claimed, without waiting for the end. The node itself stops beginning attempts under a name that was
 * not renewed for 4 seconds, by its own watch, and goes on under a new one. So a node that is killed, cut off or stands
 * still costs its endpoints 6 seconds and the poll interval, and a delivery comes twice only if its attempt was under way
 * then. After an outage of the database, when all names are old, nobody takes from others for 3 seconds. An advisory lock
 * of a session would need no renewal, but PostgreSQL would keep it for as long as TCP takes to notice a machine that lost
 * its power, and it would tie the claims to one connection.
 *
 * <p>Isolation rests on fixed limits. An endpoint gets {@code webhooks.inFlightPerEndpoint} attempts at once and up to a
 * fifth of the free room for claims. Until it has accepted a delivery, and after an attempt that failed, it gets 4
 * attempts and 20 claims. It never takes more than half of the free places. Slow start by doubling, a separate set of proven
 * endpoints, smaller portions for failing ones and giving back claims of a slow one were removed: the tests with ten
 * dead endpoints among a thousand and with hostile endpoints pass without them.
 *
 * <p>The lower limit for endpoints that do not accept is needed: with one limit for all, a share small enough that a dead
 * endpoint holds few claims (a twentieth) sent 15 to 20 % fewer deliveries a second. With the lower limit and a fifth for
 * healthy ones the design is as fast as the one with slow start that it replaced: in rounds of 50,000 deliveries on two
 * cores, 15,362, 14,715 and 14,603 a second beside 13,654, 13,868 and 14,886 (rounds three to five; a bare client loop
 * sends 42,000 to 61,000). More is claimed when half of a queue is used up, so that few statements claim much.
 *
 * <p>A delivery costs 52 to 61 microseconds of Java, 43 to 46 of PostgreSQL and 17 to 20 of the receiver's CPU (a bare
 * client: 22 to 25 and 16). A lease on an endpoint, under which deliveries are read and not marked, was built and measured
 * beside this: PostgreSQL 37 to 40 microseconds instead of 45 to 46, and no more deliveries a second, so it was left out.
 * To read four times as far ahead changed nothing either.
 *
 * <p>Two more measured facts: half of each page of {@code webhook_deliveries} is left free, because a claim that moves a
 * row costs an entry in every index (43 instead of 10 microseconds), and results are written at once from 100 on, else
 * after 25 milliseconds, because always waiting costs 20 % of the throughput.
 */
@NullMarked
package dev.vestibule.webhook.delivery;

import org.jspecify.annotations.NullMarked;
