/**
 * Events of a project, for webhooks: an outbox table that is written in the transaction of the change. So every committed
 * change is delivered, whatever crashes, and one that is rolled back is not. An event that no endpoint subscribes to is
 * not stored. Each room creates its own events ({@code UserEvents}, {@code SessionEvents}); {@code webhook} delivers them.
 */
@NullMarked
package dev.vestibule.event;

import org.jspecify.annotations.NullMarked;
