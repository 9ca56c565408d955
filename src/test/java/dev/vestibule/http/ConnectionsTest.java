package dev.vestibule.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    /** Its number may be another socket's by now. */
    @Test
    void aConnectionThatIsClosedAlreadyIsNotTouched() throws Exception {
        Promise<Void> cutOff = Promise.promise();
        var server = vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
                .connectionHandler(connection ->
                        connection.closeHandler(closed -> vertx.runOnContext(later -> Future.succeededFuture(connection)
                                .<Void>map(one -> {
                                    Connections.cutOff(one);
                                    return null;
                                })
                                .onComplete(cutOff))))
                .requestHandler(request -> request.response().end())
                .listen(0, "localhost")
                .await();
        connectAndLeave(server.actualPort());
        cutOff.future().await(10, TimeUnit.SECONDS);
    }

    private static void connectAndLeave(int port) throws IOException {
        new Socket("localhost", port).close();
    }
}
