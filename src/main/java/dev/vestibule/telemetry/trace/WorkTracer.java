package dev.vestibule.telemetry.trace;

import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A tracer that can be told of work for requests that leaves their contexts, where Vert.x cannot see whom it is for. */
public interface WorkTracer {
    /**
     * The context on which to do something for these requests. It has the place's thread, and may be the place itself.
     *
     * @param place where the work would be done without a tracer
     * @param requests the contexts of all requests that wait for the work
     */
    ContextInternal onBehalfOf(List<ContextInternal> requests, ContextInternal place);

    /** Begins a step of a request, on any thread; to be run when the step has ended. */
    Runnable begin(String step, ContextInternal request);

    /** The tracer of this Vert.x, or null if nothing is traced. */
    static @Nullable WorkTracer of(Vertx vertx) {
        return ((VertxInternal) vertx).tracer() instanceof WorkTracer tracer ? tracer : null;
    }
}
