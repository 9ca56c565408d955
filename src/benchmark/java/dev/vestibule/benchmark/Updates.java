package dev.vestibule.benchmark;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** The minimum work of a refresh, without a server around it: one committed UPDATE of its session by key. */
final class Updates {
    private static final int CONNECTIONS = 16; // the default of database.poolSize
    private static final String UPDATE = "UPDATE sessions SET last_active_at = now() WHERE project_id = $1 AND id = $2";

    private Updates() {}

    /** Each session is updated again as soon as its last update has ended. */
    static Load start(Vertx vertx, EmbeddedDatabase database, UUID project, List<UUID> sessions) {
        var pool = PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(CONNECTIONS))
                .connectingTo(database.options().setCachePreparedStatements(true))
                .using(vertx)
                .build();
        return ClosedLoad.start(
                sessions.stream()
                        .map(session -> Tuple.of(project, session))
                        .map(key -> (Supplier<Future<Void>>) () -> update(pool, key))
                        .toList(),
                pool::close);
    }

    private static Future<Void> update(Pool pool, Tuple key) {
        return pool.preparedQuery(UPDATE)
                .execute(key)
                .compose(updated -> updated.rowCount() == 1
                        ? Future.succeededFuture()
                        : Future.failedFuture("there is no such session"));
    }
}
