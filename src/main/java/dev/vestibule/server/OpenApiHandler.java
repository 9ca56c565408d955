package dev.vestibule.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.http.CompressibleBody;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Serves the description of this API to anybody. */
public final class OpenApiHandler {
    private static final Map<String, String> HEADERS =
            Map.of("Content-Type", "application/json", "Cache-Control", "public, max-age=300", "Vary", "Origin");

    private final Supplier<Buffer> json;
    private @Nullable CompletableFuture<CompressibleBody> description;

    /** The description is read on the first request, since parsing it took a tenth of each start. */
    public OpenApiHandler(Supplier<Buffer> json) {
        this.json = json;
    }

    /** {@code GET /v1/openapi.json}: the description of this API (OpenAPI 3.1). */
    public Future<Reply> get(ApiRequest request) {
        return Future.fromCompletionStage(description(), request.vertx().getOrCreateContext())
                .map(known -> known.reply(request.context(), 200, HEADERS));
    }

    /** Parses it once, on another thread: a megabyte of YAML is too much for an event loop. */
    private synchronized CompletableFuture<CompressibleBody> description() {
        var known = description;
        if (known == null) {
            known = CompletableFuture.supplyAsync(
                    () -> CompressibleBody.of(json.get().getBytes()));
            description = known;
        }
        return known;
    }
}
