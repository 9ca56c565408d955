/**
 * Traces for a collector of OpenTelemetry. Without the variable {@code OTEL_EXPORTER_OTLP_ENDPOINT} (or {@code
 * OTEL_EXPORTER_OTLP_TRACES_ENDPOINT}) no class of this package and of OpenTelemetry is loaded, and no request pays for
 * it; with it, the variables of OpenTelemetry's specification configure the rest: name of the service, sampler, headers,
 * timeouts, queue.
 *
 * <p>Only what this server has written itself is exported: a request's method if it is a known one, the template of its
 * path, its status, its id and its project; the text of a statement, which holds no values; of a request to another server
 * its method, host, port and status. No URL, query, header, address of a client, parameter of a statement or message of a
 * failure, because each of them may hold a secret or tell of a person.
 * The tracer of {@code vertx-opentelemetry} 5.0.8 exports all that Vert.x tells it, such as whole URLs, and the messages of
 * failures; takes the sender's trace for its own, and passes it on to whoever is called. It has no place to change that,
 * and its presence in the jar is enough to load it. {@code vertx-zipkin} speaks to other collectors only.
 *
 * <p>A {@code traceparent} that a request brings is anybody's text. It becomes a link of the request's span and never its
 * parent, so that no stranger decides what is sampled, or adds spans to a trace that is not theirs. This holds behind
 * a trusted proxy too: an address says who forwards a request, and not that the header is the proxy's own and was not
 * merely passed on. {@code tracestate} and {@code baggage} are not read. Requests to other servers, such as
 * providers and receivers of webhooks, carry no {@code traceparent}: it is nothing to them.
 *
 * <p>A statement that several requests share ({@link dev.vestibule.database.SharedStatement}) begins a trace of its own and
 * is linked to all of them; one that a single request waits for is part of that request. Statements that no request
 * waits for, such as those of maintenance, are not traced, nor are health checks.
 *
 * <p>Nobody waits for the collector. Spans wait in a bounded queue (2,048, {@code OTEL_BSP_MAX_QUEUE_SIZE}) for a thread of
 * their own; what does not fit is dropped. The JDK's HTTP client sends them, since the usual one brings 3 MB of Kotlin.
 * What the library logs arrives in the log without the messages of failures, which may repeat a header.
 */
@NullMarked
package dev.vestibule.telemetry.trace.otlp;

import org.jspecify.annotations.NullMarked;
