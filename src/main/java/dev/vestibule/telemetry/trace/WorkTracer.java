package dev.vestibule.telemetry.trace;

import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A tracer for work that leaves the context of its request, so that Vert.x cannot see which request it is for. */
public interface WorkTracer {
    /**
     * The context for doing work on behalf of these requests. It has the same thread as the given context, and may be
     * that context itself.
     *
     * @param context where the work would run without a tracer
     * @param requests the contexts of all requests that wait for the work
     */
    ContextInternal onBehalfOf(List<ContextInternal> requests, ContextInternal context);

    /** Begins a step of a request, on any thread; run the result when the step has ended. */
    Runnable begin(String step, ContextInternal request);

    /** The tracer of this Vert.x, or null if nothing is traced. */
    static @Nullable WorkTracer of(Vertx vertx) {
        return ((VertxInternal) vertx).tracer() instanceof WorkTracer tracer ? tracer : null;
    }
}
