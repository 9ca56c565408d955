package dev.vestibule.database;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.Sql;
import dev.vestibule.fixture.TestDatabase;
import dev.vestibule.fixture.WithServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
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

    private Future<Integer> find(SqlClient db) {
        return db.preparedQuery(FIND).execute(Tuple.of(1)).map(found -> found.rowCount());
    }
}
