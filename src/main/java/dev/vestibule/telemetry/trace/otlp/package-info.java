/**
 * Traces for an OpenTelemetry collector. Without the variable {@code OTEL_EXPORTER_OTLP_ENDPOINT} (or
 * {@code OTEL_EXPORTER_OTLP_TRACES_ENDPOINT}) no class of this package or of OpenTelemetry is loaded, and requests cost
 * nothing extra. With it, the variables of OpenTelemetry's specification configure the rest: service name, sampler,
 * headers, timeouts, queue.
 *
 * <p>Only text that this server controls is exported: a request's method if it is a known one, its path template,
 * status, id and project; the text of a statement, which contains no values; and for a request to another server its
 * method, host, port and status. URLs, queries, headers, client addresses, statement parameters and failure messages
 * are never exported, because they may contain secrets or personal data. The tracer of {@code vertx-opentelemetry}
 * 5.0.8 exports everything that Vert.x tells it, such as whole URLs and failure messages; it also continues the
 * sender's trace and passes it on to every server that is called. None of this can be configured, and its presence in
 * the jar is enough to load it. {@code vertx-zipkin} only supports other collectors.
 *
 * <p>Anybody can send a {@code traceparent} with a request. It becomes a link of the request's span and never its
 * parent, so that a stranger can neither decide what is sampled nor add spans to somebody else's trace. This holds
 * behind a trusted proxy too: the address shows who forwards a request, but not whether the proxy wrote the header or
 * merely passed it on. {@code tracestate} and {@code baggage} are not read. Requests to other servers, such as identity
 * providers and webhook receivers, carry no {@code traceparent}: it does not concern them.
 *
 * <p>A statement that several requests share ({@link dev.vestibule.database.SharedStatement}) begins its own trace and
 * is linked to all of them; a statement that a single request waits for is part of that request's trace. Statements
 * that no request waits for, such as those of maintenance, are not traced, nor are health checks.
 *
 * <p>No request waits for the collector. Spans wait in a bounded queue (2,048, {@code OTEL_BSP_MAX_QUEUE_SIZE}) for a
 * separate thread; spans that do not fit are dropped. The JDK's HTTP client sends them, since the default client would
 * add 3 MB of Kotlin. The library's log lines appear in the server's log without failure messages, which may repeat a
 * header.
 */
@NullMarked
package dev.vestibule.telemetry.trace.otlp;

import org.jspecify.annotations.NullMarked;
