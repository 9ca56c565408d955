package dev.vestibule.telemetry.trace.otlp;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import java.util.List;

/** The requests that work is done for: a single one, whose span becomes the parent, or several, which are linked. */
record SpanOrigin(Context parent, List<SpanContext> requests) {
    static SpanOrigin request(Span span) {
        return new SpanOrigin(Context.root().with(span), List.of(span.getSpanContext()));
    }

    static SpanOrigin shared(List<SpanOrigin> causes) {
        var sampled = causes.stream()
                .flatMap(cause -> cause.requests().stream())
                .filter(SpanContext::isSampled)
                .toList();
        return sampled.isEmpty() ? causes.get(0) : new SpanOrigin(Context.root(), sampled);
    }

    SpanBuilder begin(SpanBuilder span) {
        span.setParent(parent);
        if (Span.fromContext(parent) == Span.getInvalid()) {
            requests.forEach(span::addLink);
        }
        return span;
    }
}
