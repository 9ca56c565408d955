/**
 * Log lines, for people or programs to read. No request waits for the log: a separate thread writes the lines from a
 * bounded queue ({@link dev.vestibule.telemetry.log.BoundedAppender}), and a line is dropped and counted rather than
 * blocking an event loop.
 *
 * <p>The lines of a request share its id, which is looked up in Vert.x's context of the request
 * ({@link dev.vestibule.http.RequestRecord}). This works across asynchronous steps, and costs nothing for requests that
 * log nothing.
 *
 * <p>What is logged also tells when memory has run out ({@link dev.vestibule.telemetry.log.OutOfMemoryWatch}).
 *
 * <p>The layouts are our own. Logback's pattern cannot escape line ends, terminal control characters and text that
 * displays backwards; its JSON encoder nests fields in lists and turns numbers into strings. logstash-logback-encoder
 * 9.0 could write the same JSON line, but needs half as much code just to set it up, and 440 KB.
 */
@NullMarked
package dev.vestibule.telemetry.log;

import org.jspecify.annotations.NullMarked;
