package dev.vestibule.http;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;

/** Answers a request that is not valid HTTP, and so never reaches a router, with the usual error body. */
public final class InvalidRequestHandler implements Handler<HttpServerRequest> {
    private static final long LINGER_MILLIS = 500;

    @Override
    public void handle(HttpServerRequest request) {
        var reply = FailureHandler.reply(error(request.decoderResult().cause()));
        request.response().setStatusCode(reply.status());
        reply.headers().forEach(request.response()::putHeader);
        request.response().putHeader("Connection", "close"); // so that the client does not reuse the connection
        request.response()
                .putHeader("Content-Length", Integer.toString(reply.body().length()));
        request.response().write(reply.body());
        endLater(request);
    }

    /**
     * The end of the response closes the connection. Until then, anything that the client still sends is dropped:
     * closing earlier would reset the connection before the client has read the response.
     */
    private static void endLater(HttpServerRequest request) {
        Vertx.currentContext()
                .owner()
                .setTimer(
                        LINGER_MILLIS,
                        late -> request.response()
                                .end()
                                .onComplete(ended -> request.connection().close()));
    }

    private static ApiException error(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return ApiException.of(ErrorCode.URI_TOO_LONG, "The path and query are too long.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return ApiException.of(ErrorCode.HEADERS_TOO_LARGE, "The header fields are too large.");
        }
        return ApiException.of(ErrorCode.BAD_REQUEST, "The request is not valid HTTP.");
    }
}
