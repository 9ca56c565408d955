package dev.vestibule.database;

import dev.vestibule.config.DatabaseAddress;
import dev.vestibule.config.DatabaseSettings;
import dev.vestibule.config.Secret;
import dev.vestibule.database.embedded.EmbeddedServer;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How both clients, JDBC for migrations and the reactive one for all else, reach the database. */
public record Connection(
        String jdbcUrl, String user, Secret password, PgConnectOptions options, NetClientOptions transport) {
    private static final int CACHED_STATEMENTS = 256;
    private static final List<String> BY_NO_INDEX = List.of(
            "enable_seqscan",
            "enable_bitmapscan",
            "enable_sort",
            "enable_incremental_sort",
            "enable_hashjoin",
            "enable_mergejoin");

    public static Connection to(EmbeddedServer.Address address, DatabaseSettings settings) {
        var options = options(settings)
                .setHost(address.host())
                .setPort(address.port())
                .setUser(address.user())
                .setPassword(address.password())
                .setDatabase(address.database());
        var jdbcUrl = "jdbc:postgresql://%s:%d/%s".formatted(address.host(), address.port(), address.database());
        return new Connection(jdbcUrl, address.user(), new Secret(address.password()), options, transport(settings));
    }

    public static Connection to(DatabaseAddress address, DatabaseSettings settings) {
        var password = address.password().orElse(new Secret(""));
        var options = options(settings)
                .setHost(address.host())
                .setPort(address.port())
                .setUser(address.user())
                .setPassword(password.reveal())
                .setDatabase(address.database())
                .setSslMode(address.sslMode());
        if (address.sslMode() != SslMode.DISABLE) {
            options.setSslOptions(tls(address));
        }
        return new Connection(address.jdbcUrl(), address.user(), password, options, transport(settings));
    }

    /** For messages: where the database is, without what lets one in. */
    public String place() {
        return options.getHost() + ":" + options.getPort() + "/" + options.getDatabase();
    }

    /**
     * Each statement has one plan, whatever its parameters are, so that the plan which tests look at is the one that
     * runs; and it runs without parallel workers, whose start takes longer than our statements.
     */
    private static PgConnectOptions options(DatabaseSettings settings) {
        return new PgConnectOptions()
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheMaxSize(CACHED_STATEMENTS)
                .setPreparedStatementCacheSqlFilter(sql -> true) // else the longest, of all, are planned at each use
                .setProperties(Map.of(
                        "application_name",
                        "vestibule",
                        "plan_cache_mode",
                        "force_generic_plan",
                        "max_parallel_workers_per_gather",
                        "0",
                        "statement_timeout",
                        Long.toString(settings.statementTimeout().toMillis())));
    }

    private static NetClientOptions transport(DatabaseSettings settings) {
        return new NetClientOptions()
                .setTcpKeepAlive(true)
                .setTcpUserTimeout((int) settings.statementTimeout()
                        .plus(settings.connectTimeout())
                        .toMillis())
                .setConnectTimeout((int) settings.connectTimeout().toMillis());
    }

    private static ClientSSLOptions tls(DatabaseAddress address) {
        var tls = new ClientSSLOptions()
                .setTrustAll(!address.verifiesCertificate())
                .setHostnameVerificationAlgorithm(address.sslMode() == SslMode.VERIFY_FULL ? "HTTPS" : "");
        address.sslRootCertificate()
                .ifPresent(file -> tls.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
        return tls;
    }

    /**
     * For tables that grow in bursts: the one plan of each statement may be made while they are nearly empty, when any
     * plan will do, and has to serve them when they are full. So it goes by the indexes, in their order.
     */
    public Connection toGrowingTables() {
        var properties = new HashMap<>(options.getProperties());
        for (var reading : BY_NO_INDEX) {
            properties.put(reading, "off");
        }
        return new Connection(
                jdbcUrl, user, password, new PgConnectOptions(options).setProperties(properties), transport);
    }
}
