package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL servers of {@code database.url}: chooses the server for a new connection, and checks the connection
 * before its first use.
 */
public final class Servers {
    /** Closing a pool's connection would only return it to the pool. */
    private static final String END_CONNECTION = "SELECT pg_terminate_backend(pg_backend_pid())";

    private static final String SET_PARAMETERS = """
            SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS parameter (name, value)
            UNION ALL SELECT set_config('vestibule.session', gen_random_uuid()::text, false)
            """;

    private final NetClientOptions transport;
    private final Map<String, String> parameters;
    private final boolean isPooled;
    private final DatabaseHost first;
    private final @Nullable PrimarySearch search; // null if the first server is used in any case

    public Servers(Vertx vertx, Connection connection) {
        transport = connection.transport();
        parameters = connection.parameters();
        isPooled = connection.isPooled();
        var hosts = connection.servers().stream()
                .map(server -> new DatabaseHost(vertx, server, transport))
                .toList();
        first = hosts.get(0);
        search = connection.primaryOnly() ? new PrimarySearch(vertx, hosts, transport) : null;
    }

    /** Whether the next statement on a connection can run in another session of PostgreSQL. */
    boolean isPooled() {
        return isPooled;
    }

    NetClientOptions transport() {
        return transport;
    }

    /** The server for the next connection of a pool that uses {@link #check}. */
    Future<PgConnectOptions> next() {
        return search == null ? first.options() : search.find().compose(DatabaseHost::options);
    }

    /** The check that a pool does on a new connection before its first use. */
    Handler<SqlConnection> check() {
        return search == null
                ? this::use
                : fresh -> search.isCurrent(fresh).onSuccess(isCurrent -> useOrEnd(fresh, isCurrent));
    }

    private void useOrEnd(SqlConnection fresh, boolean isCurrent) {
        if (isCurrent) {
            use(fresh);
        } else {
            end(fresh);
        }
    }

    private static void end(SqlConnection fresh) {
        fresh.query(END_CONNECTION).execute();
    }

    /**
     * Sets the parameters that statements need, and a name of the session, by which the change feed recognizes it. They
     * are not startup parameters, because a pooler such as PgBouncer accepts only those that it knows.
     */
    private void use(SqlConnection fresh) {
        if (parameters.isEmpty()) {
            fresh.close(); // gives it to the pool
            return;
        }
        var names = parameters.keySet().toArray(String[]::new);
        Sql.run(fresh, SET_PARAMETERS, names, parameters.values().toArray(String[]::new))
                .onSuccess(set -> fresh.close())
                .onFailure(unset -> end(fresh));
    }
}
