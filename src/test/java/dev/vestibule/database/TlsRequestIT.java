package dev.vestibule.database;

import dev.vestibule.fixture.DatabaseProxy;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
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
        var database =
                TestDatabase.connect(vertx, proxy.url().replace("sslmode=disable", "sslmode=" + mode), CONNECTIONS);
        Future.join(IntStream.range(0, CONNECTIONS)
                        .mapToObj(number ->
                                database.writes().query("SELECT pg_sleep(0.1)").execute())
                        .toList())
                .await();

        Eventually.until("all connections are open", () -> sql.count(SERVED) == CONNECTIONS);
        Eventually.until("each open connection is served", () -> proxy.openConnections() == CONNECTIONS);
    }
}
