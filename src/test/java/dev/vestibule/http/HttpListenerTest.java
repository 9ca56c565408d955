package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test cannot hit the moment before a server listens, so this server listens when the test says so. */
class HttpListenerTest {
    private final Promise<HttpServer> listen = Promise.promise();
    private final List<Handler<HttpConnection>> handlers = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private final List<HttpConnection> accepted = new ArrayList<>();

    @SuppressWarnings("unchecked")
    private final HttpServer server = (HttpServer) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {HttpServer.class}, (self, method, arguments) -> {
                if (method.getName().equals("connectionHandler")) {
                    handlers.add((Handler<HttpConnection>) arguments[0]);
                    return self;
                }
                return listen.future();
            });

    private HttpConnection connection(String name) {
        return (HttpConnection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HttpConnection.class}, (self, method, arguments) -> {
                    closed.add(name + " " + method.getName());
                    return null;
                });
    }

    @Test
    void aConnectionBeforeTheServerListensIsClosed() {
        var early = connection("early");
        var later = connection("later");
        var listening = HttpListener.start(server, accepted::add);

        handlers.get(0).handle(early);
        assertThat(listening.isComplete()).isFalse();
        assertThat(closed).containsExactly("early close");

        listen.complete(server);
        handlers.get(0).handle(later);
        assertThat(closed).containsExactly("early close");
        assertThat(accepted).hasSize(1);
    }
}
