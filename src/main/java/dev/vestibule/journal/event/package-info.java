/**
 * Events of a project, for webhooks: an outbox table that is written in the transaction of the change. So the events of
 * every committed change are delivered, whatever crashes, and those of a rolled-back change are not. An event that no
 * endpoint subscribes to is not stored. Each package creates its own events ({@code UserEvents}, {@code
 * SessionEvents}); {@code webhook} delivers them.
 */
@NullMarked
package dev.vestibule.journal.event;

import org.jspecify.annotations.NullMarked;
