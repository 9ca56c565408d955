/**
 * Sends the deliveries that wait in the database. The way of a delivery: {@link
 * dev.vestibule.webhook.delivery.ClaimStore} claims rows for this node, {@link dev.vestibule.webhook.delivery.Backlog}
 * decides which is next, {@link dev.vestibule.webhook.delivery.DeliverySender} signs and sends it, and {@link
 * dev.vestibule.webhook.delivery.ResultWriter} writes the results in batches; {@link
 * dev.vestibule.webhook.delivery.Deliverer} drives all four.
 *
 * <p>Claims are leases taken with {@code FOR UPDATE SKIP LOCKED}, so nodes share the work and the claims of a node that
 * dies expire. They are not tied to a connection. A result counts only while the claim holds, unless the endpoint
 * accepted the delivery. When a project changes, waiting claims are given back and read again, so nothing goes to an old
 * URL. The event bus and a timer only wake the deliverer up; the table is the truth.
 *
 * <p>Isolation rests on fixed limits. An endpoint gets {@code webhooks.inFlightPerEndpoint} attempts at once and up to a
 * fifth of the free room for claims. Until it has accepted a delivery, and after an attempt that failed, it gets 4
 * attempts and 20 claims. It never takes more than half of the free places. Slow start by doubling, a separate set of proven
 * endpoints, smaller portions for failing ones and giving back claims of a slow one were removed: the tests with ten
 * dead endpoints among a thousand and with hostile endpoints pass without them.
 *
 * <p>The lower limit for endpoints that do not accept is needed: with one limit for all, a share small enough that a dead
 * endpoint holds few claims (a twentieth) sent 8,850 to 9,000 deliveries a second where the earlier design sent 10,500
 * to 11,400 in the same run. With the lower limit and a
 * fifth for healthy ones it sent 14,236 where the earlier design sent 15,901 and a bare client loop 48,822, for the same
 * 46 microseconds of the server's CPU each (fourth round of 30,000 on two cores, all in one run). Claims were then asked
 * for after a quarter of a queue; they are now asked for after half, so that fewer statements
 * claim more, which has not been measured yet.
 *
 * <p>Two more measured facts: half of each page of {@code webhook_deliveries} is left free, because a claim that moves a
 * row costs an entry in every index (43 instead of 10 microseconds), and results are written at once from 100 on, else
 * after 25 milliseconds, because always waiting costs 20 % of the throughput.
 */
@NullMarked
package dev.vestibule.webhook.delivery;

import org.jspecify.annotations.NullMarked;
