package dev.vestibule.database;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgConnectOptions;

/** The PostgreSQL servers of {@code database.url}: which of them a new connection goes to. */
public final class Servers {
    private final NetClientOptions transport;
    private final DatabaseHost host;

    public Servers(Vertx vertx, Connection connection) {
        transport = connection.transport();
        host = new DatabaseHost(vertx, connection.options(), transport);
    }

    NetClientOptions transport() {
        return transport;
    }

    Future<PgConnectOptions> next() {
        return host.options();
    }
}
