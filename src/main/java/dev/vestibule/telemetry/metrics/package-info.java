/**
 * The server's own meters, each named in one place.
 *
 * <p>No label holds a path, an address or anything else that a client can choose, because each new value is a new time
 * series. Routes are labelled by their template ({@link dev.vestibule.telemetry.metrics.ListenerMeters}).
 */
@NullMarked
package dev.vestibule.telemetry.metrics;

import org.jspecify.annotations.NullMarked;
