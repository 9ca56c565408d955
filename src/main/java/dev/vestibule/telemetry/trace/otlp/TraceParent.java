package dev.vestibule.telemetry.trace.otlp;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The trace that a request's sender says it is part of, by W3C Trace Context; {@code tracestate} is not read. */
final class TraceParent {
    private static final String HEADER = "traceparent";

    private static final TextMapGetter<MultiMap> ONE_HEADER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(MultiMap headers) {
            return List.of(HEADER);
        }

        @Override
        public @Nullable String get(@Nullable MultiMap headers, String name) {
            return headers != null && name.equals(HEADER) ? headers.get(HEADER) : null;
        }
    };

    private TraceParent() {}

    /** Empty if there is none or it is malformed. */
    static Optional<SpanContext> of(MultiMap headers) {
        var read = W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, ONE_HEADER);
        return Optional.of(Span.fromContext(read).getSpanContext()).filter(SpanContext::isValid);
    }
}
