package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;

/** Answers a request that is not valid HTTP, which no router sees, with the usual error body. */
public final class InvalidRequestHandler implements Handler<HttpServerRequest> {
    @Override
    public void handle(HttpServerRequest request) {
        var reply = FailureHandler.reply(error(request.decoderResult().cause()));
        request.response().setStatusCode(reply.status());
        reply.headers().forEach(request.response()::putHeader);
        request.response().putHeader("Connection", "close"); // so that the client does not reuse the connection
        request.response()
                .end(reply.body())
                .onComplete(ended -> request.connection().close());
    }

    private static ApiException error(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return ApiException.of(ErrorStatus.URI_TOO_LONG, "The path and query are too long.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return ApiException.of(ErrorStatus.HEADERS_TOO_LARGE, "The header fields are too large.");
        }
        return ApiException.of(ErrorStatus.BAD_REQUEST, "The request is not valid HTTP.");
    }
}
