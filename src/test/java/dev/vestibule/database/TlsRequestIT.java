package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vestibule.config.CommandLine;
import dev.vestibule.config.Settings;
import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithServer.class)
class TlsRequestIT {
    private static final int CONNECTIONS = 5;
    private static final String SERVED =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'vestibule' AND datname = current_database()";

    private final Vertx vertx = Vertx.vertx();
    private final Sql sql;
    private final DatabaseProxy proxy;

    TlsRequestIT(TestDatabase server) {
        sql = new Sql(server.createDatabase());
        proxy = DatabaseProxy.before(sql.databaseUrl());
    }

    @AfterEach
    void close() {
        vertx.close().await();
        proxy.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prefer", "allow", "disable"})
    void noConnectionStaysHalfOpenAtAServerWithoutTls(String mode) {
        var database = open(proxy.url().replace("sslmode=disable", "sslmode=" + mode));
        Future.join(IntStream.range(0, CONNECTIONS)
                        .mapToObj(number ->
                                database.writes().query("SELECT pg_sleep(0.1)").execute())
                        .toList())
                .await();

        assertThat(sql.count(SERVED)).isEqualTo(CONNECTIONS);
        Eventually.until("each open connection is served", () -> proxy.openConnections() == CONNECTIONS);
    }

    private Database open(String url) {
        var settings = Settings.load(
                CommandLine.parse(),
                Map.of("VESTIBULE_DATABASE_URL", url, "VESTIBULE_SECRET", TestServer.SECRET),
                Path.of("no configuration file here"));
        var connection = Connection.to(settings.database().url().orElseThrow(), settings.database());
        return Database.open(
                vertx,
                new Servers(vertx, connection),
                new Database.Limits(CONNECTIONS, 10, 5000, 1, 128, Duration.ofSeconds(10)),
                0);
    }
}
