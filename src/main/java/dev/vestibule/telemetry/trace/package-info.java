/**
 * What the floor tells a tracer beside what Vert.x tells it by itself. It knows no library of traces: {@code otlp} below is
 * the tracer, and without it nothing here does anything.
 */
@NullMarked
package dev.vestibule.telemetry.trace;

import org.jspecify.annotations.NullMarked;
