package dev.vestibule.http;

import dev.vestibule.error.Kind;
import dev.vestibule.error.Refusal;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;

/** Answers what is no HTTP request, before any router sees it, in the one error shape. */
public final class InvalidRequests implements Handler<HttpServerRequest> {
    @Override
    public void handle(HttpServerRequest request) {
        var reply = FailureHandler.reply(refusal(request.decoderResult().cause()));
        request.response().setStatusCode(reply.status());
        reply.headers().forEach(request.response()::putHeader);
        request.response().putHeader("Connection", "close"); // or a client would send its next request here
        request.response()
                .end(reply.body())
                .onComplete(ended -> request.connection().close());
    }

    private static Refusal refusal(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return Refusal.of(Kind.URI_TOO_LONG, "The path and query are too long.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return Refusal.of(Kind.HEADERS_TOO_LARGE, "The header fields are too large.");
        }
        return Refusal.of(Kind.BAD_REQUEST, "This is no valid HTTP request.");
    }
}
