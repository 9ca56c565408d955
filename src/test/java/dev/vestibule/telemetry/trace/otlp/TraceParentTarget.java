package dev.vestibule.telemetry.trace.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;

/** Whatever a client writes, the ids of a trace are of the lengths that collectors expect. */
public final class TraceParentTarget {
    private TraceParentTarget() {}

    public static void check(String header) {
        var headers = MultiMap.caseInsensitiveMultiMap().add("traceparent", header);
        TraceParent.of(headers).ifPresent(context -> {
            assertThat(context.getTraceId()).matches("[0-9a-f]{32}");
            assertThat(context.getSpanId()).matches("[0-9a-f]{16}");
        });
    }
}
