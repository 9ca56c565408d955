package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.config.Settings;
import dev.vestibule.fixture.TestServer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections open when they are first needed, so here none ever does. */
class DatabaseTest {
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(3));
    private final Context one = loopOtherThan();
    private final Context two = loopOtherThan(one);
    private final Context foreign = loopOtherThan(one, two);
    private final AtomicInteger numbers = new AtomicInteger();
    private final Database database = Database.ofEventLoops(
            vertx,
            Map.of(Shard.HOME, nowhere(vertx)),
            new ChangeFeed(vertx),
            new ConnectionLimits(1, 100, 10_000, 1, 128, 1, Duration.ofSeconds(10)),
            numbers::incrementAndGet);

    @AfterEach
    void close() {
        vertx.close().await();
    }

    @Test
    void eachEventLoopFindsItsOwnConnections() {
        open(one);
        open(two);
        var own = on(one, database::reads);

        assertThat(on(one, database::reads)).isSameAs(own);
        assertThat(on(two, database::reads)).isNotSameAs(own);
        assertThat(on(one, database::writes)).isNotSameAs(on(two, database::writes));
        assertThat(numbers).hasValue(2);
    }

    @Test
    void othersUseTheFirst() {
        open(one);
        open(two);
        var first = on(one, database::reads);

        assertThat(on(foreign, database::reads)).isSameAs(first);
        assertThat(database.reads()).isSameAs(first);
    }

    @Test
    void othersUseAnotherOnceTheFirstIsClosed() {
        open(one);
        open(two);
        on(one, database::close).await();

        assertThat(database.reads()).isSameAs(on(two, database::reads));
    }

    @Test
    void twoOnOneLoopShareItsConnections() {
        open(one);
        open(two);
        open(two);
        var shared = on(two, database::reads);
        on(two, database::close).await();

        assertThat(on(two, database::reads)).isSameAs(shared);
        on(two, database::close).await();
        assertThat(on(two, database::reads)).isSameAs(on(one, database::reads));
    }

    @Test
    void nobodyCanUseWhatIsNotOpen() {
        assertThatThrownBy(database::reads).isInstanceOf(IllegalStateException.class);
    }

    private void open(Context loop) {
        on(loop, () -> {
            database.open();
            return true;
        });
    }

    private static <T> T on(Context loop, Supplier<T> work) {
        Promise<T> done = Promise.promise();
        loop.runOnContext(
                turn -> Future.succeededFuture().map(begun -> work.get()).onComplete(done));
        return done.future().await();
    }

    private Context loopOtherThan(Context... others) {
        while (true) {
            var found = ((VertxInternal) vertx).createEventLoopContext();
            var loop = found.nettyEventLoop();
            if (Arrays.stream(others).noneMatch(other -> ((ContextInternal) other).nettyEventLoop() == loop)) {
                return found;
            }
        }
    }

    static Servers nowhere(Vertx vertx) {
        var settings = Settings.load(
                Optional.empty(),
                Map.of(
                        "VESTIBULE_DATABASE_URL",
                        "postgresql://nobody:nothing@localhost:1/none",
                        "VESTIBULE_SECRET",
                        TestServer.SECRET),
                Path.of("no configuration file here"));
        return new Servers(vertx, Connection.to(settings.database().url().orElseThrow(), settings.database()));
    }
}
