package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool can forget a caller whose connection was ready at the moment that the caller stopped waiting. */
@Timeout(60)
class LoopConnectionsTest {
    private final Vertx vertx = Vertx.vertx();
    private final LoopConnections connections = LoopConnections.open(
            vertx, DatabaseTest.nowhere(vertx), new ConnectionLimits(1, 100, 5, 1, 128, 1, Duration.ofSeconds(10)), 0);
    private final AtomicInteger closed = new AtomicInteger();
    private final Promise<SqlConnection> promised = Promise.promise();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void aConnectionThatNeverComesIsGivenUp() {
        var work = connections.withConnection(pool(), connection -> Future.succeededFuture("done"));

        assertThatThrownBy(work::await).isInstanceOf(TimeoutException.class);
    }

    @Test
    void aConnectionThatComesTooLateIsClosedUnused() {
        var used = new AtomicInteger();
        var work = connections.withConnection(pool(), connection -> Future.succeededFuture(used.incrementAndGet()));
        assertThatThrownBy(work::await).isInstanceOf(TimeoutException.class);

        promised.complete(connection());

        assertThat(closed).hasValue(1);
        assertThat(used).hasValue(0);
    }

    @Test
    void aConnectionIsClosedWhateverItsWorkDoes() {
        promised.complete(connection());

        assertThat(connections
                        .withConnection(pool(), connection -> Future.succeededFuture("done"))
                        .await())
                .isEqualTo("done");
        var failing = connections.withConnection(pool(), connection -> {
            throw new IllegalStateException("on purpose");
        });
        assertThatThrownBy(failing::await).hasMessage("on purpose");
        assertThat(closed).hasValue(2);
    }

    private Pool pool() {
        return fake(Pool.class, promised.future());
    }

    private SqlConnection connection() {
        return fake(SqlConnection.class, Future.succeededFuture());
    }

    private <T> T fake(Class<T> type, Future<?> answer) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.incrementAndGet();
                    }
                    return answer;
                }));
    }
}
