/**
 * What low-level packages report to a tracer in addition to what Vert.x reports. It does not depend on a tracing
 * library: {@code otlp} below is the tracer, and without it nothing here does anything.
 */
@NullMarked
package dev.vestibule.telemetry.trace;

import org.jspecify.annotations.NullMarked;
