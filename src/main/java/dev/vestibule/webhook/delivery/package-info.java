/** The engine that sends what waits in the outbox to the endpoints. */
@NullMarked
package dev.vestibule.webhook.delivery;

import org.jspecify.annotations.NullMarked;
