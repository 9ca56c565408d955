package dev.vestibule.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BodyTest {
    private final Map<String, Object> kept = new HashMap<>();

    /** A request of which a body needs only the data for handlers. */
    private final RoutingContext request = (RoutingContext) Proxy.newProxyInstance(
            BodyTest.class.getClassLoader(), new Class<?>[] {RoutingContext.class}, (proxy, method, arguments) -> {
                var name = String.valueOf(arguments[0]);
                return switch (method.getName()) {
                    case "get" -> kept.get(name);
                    case "remove" -> kept.remove(name);
                    case "put" -> {
                        kept.put(name, arguments[1]);
                        yield proxy;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                };
            });

    /** A request may wait long for a hashing thread, and a parsed body takes many times its counted bytes. */
    @Test
    void aRequestKeepsNoCopyOfABodyThatItsHandlerHasRead() {
        Body.put(request, Buffer.buffer("{\"email\":\"ann@example.com\"}"));
        assertThat(Body.find(request)).isPresent();
        assertThat(kept).isNotEmpty();

        assertThat(Body.of(request).path("email").asText()).isEqualTo("ann@example.com");
        assertThat(kept).isEmpty();
    }
}
