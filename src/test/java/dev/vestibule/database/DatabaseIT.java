package dev.vestibule.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithServer.class)
class DatabaseIT {
    private static final String FIND = "SELECT FROM things WHERE id = $1";
    private static final String INDEX_SCANS = "SELECT idx_scan FROM pg_stat_user_tables WHERE relname = 'things'";

    private final Vertx vertx = Vertx.vertx();
    private final Sql sql;
    private final Database database;

    DatabaseIT(TestDatabase server) {
        sql = new Sql(server.createDatabase());
        database = TestDatabase.connect(vertx, sql.databaseUrl(), 1);
    }

    @BeforeEach
    void planForAnEmptyTable() {
        sql.update("CREATE TABLE things (id integer PRIMARY KEY) WITH (autovacuum_enabled = off)");
        sql.update("VACUUM ANALYZE things");
        database.withRecentPlans(this::find).await();
    }

    @AfterEach
    void close() {
        database.close().eventually(vertx::close).await();
    }

    @Test
    void aPlanForAnEmptyTableDoesNotOutliveItsGrowth() {
        sql.update("INSERT INTO things SELECT generate_series(1, 10000)");
        Eventually.until("a recent plan uses the index", () -> {
            database.withRecentPlans(this::find).await();
            return sql.count(INDEX_SCANS) > 0;
        });
    }

    /** The client's own failure has no type that says so. */
    @Test
    void whoWaitsTooLongForATransactionIsToldThatTheServerIsBusy() {
        var hurried = TestDatabase.connect(vertx, sql.databaseUrl(), 1, Duration.ofSeconds(1));
        Promise<Void> held = Promise.promise();
        Promise<Void> over = Promise.promise();
        var longer = hurried.inTransaction(transaction -> {
            held.complete();
            return over.future();
        });
        held.future().await();
        var waiting = hurried.inTransaction(this::find);

        assertThatThrownBy(waiting::await)
                .satisfies(failure -> assertThat(SqlFailures.error(failure))
                        .map(ApiException::code)
                        .contains(ErrorCode.UNAVAILABLE));
        over.complete();
        longer.await();
        assertThat(hurried.inTransaction(this::find).await()).isZero();
        hurried.close().await();
    }

    private Future<Integer> find(SqlClient db) {
        return db.preparedQuery(FIND).execute(Tuple.of(1)).map(found -> found.rowCount());
    }
}
