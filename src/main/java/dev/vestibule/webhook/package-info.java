/**
 * Webhook endpoints of a project, their signing secrets, and the log of deliveries.
 *
 * <p>Events are written in the transaction of the change that they report, with one delivery row for each endpoint that
 * subscribed (see {@link dev.vestibule.journal}); {@link dev.vestibule.webhook.delivery} sends them. A delivery has the
 * id of its event, which stays the same for all attempts. Deliveries come at least once, and not always in order.
 *
 * <p>Signatures follow Standard Webhooks 1.0. A signing secret is shown once and sealed at rest; after a rotation the
 * previous one also signs for a day. A change of an endpoint goes through {@code ProjectChanges}, so every node drops
 * the deliveries that it holds for the old URL before the request is answered. Deliveries to a deleted endpoint are
 * removed in the background. The log's totals are kept in {@code webhook_delivery_counts}, because counting 30 days of
 * rows is slow.
 *
 * <p>Clients of the authorization server that want to know when a session ends have an endpoint each. It follows no
 * events of its own and has no secret, and only its log is open to owners here.
 */
@NullMarked
package dev.vestibule.webhook;

import org.jspecify.annotations.NullMarked;
