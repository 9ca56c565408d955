/**
 * Log lines, as people or programs read them. Nobody waits for a line: those of requests are written by a thread of their
 * own behind a bounded queue ({@link dev.vestibule.telemetry.log.BoundedAppender}), and a line is dropped and counted before
 * an event loop stands still.
 *
 * <p>A request's lines are connected by its id, which is found through Vert.x's context of the request ({@link
 * dev.vestibule.http.RequestRecord}): whatever asynchronous steps lie between, and at no cost for those that log nothing.
 *
 * <p>The layouts are our own. Logback's pattern has no escape for line ends, commands to a terminal and
 * text that is shown backwards; its JSON encoder nests fields in lists and makes texts of numbers.
 * logstash-logback-encoder 9.0 could write the same JSON line, by half as much code to set it up and 440 KB.
 */
@NullMarked
package dev.vestibule.telemetry.log;

import org.jspecify.annotations.NullMarked;
