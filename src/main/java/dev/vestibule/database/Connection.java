package dev.vestibule.database;

import dev.vestibule.config.DatabaseAddress;
import dev.vestibule.config.DatabaseSettings;
import dev.vestibule.config.Secret;
import dev.vestibule.config.ShardAddress;
import dev.vestibule.database.embedded.Address;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How to reach the database: by JDBC for migrations, and by the reactive client for everything else. If there are
 * several servers, only a primary is used.
 *
 * @param migrated where migrations go, for messages: hosts, ports and database name, without user and password
 * @param isPooled whether the reactive client connects to a pooler in transaction mode, so that the next statement on a
 *     connection can run in another session of PostgreSQL
 */
public record Connection(
        String jdbcUrl,
        String migrated,
        String user,
        Secret password,
        List<PgConnectOptions> servers,
        boolean primaryOnly,
        boolean isPooled,
        NetClientOptions transport,
        Map<String, String> parameters) {
    private static final int CACHED_STATEMENTS = 256;

    public static Connection to(Address address, DatabaseSettings settings) {
        var options = options()
                .setHost(address.host())
                .setPort(address.port())
                .setUser(address.user())
                .setPassword(address.password())
                .setDatabase(address.database());
        var place = "%s:%d/%s".formatted(address.host(), address.port(), address.database());
        var password = new Secret(address.password());
        return new Connection(
                "jdbc:postgresql://" + place,
                place,
                address.user(),
                password,
                List.of(options),
                false,
                false,
                transport(settings),
                parameters(settings));
    }

    public static Connection to(DatabaseAddress address, DatabaseSettings settings) {
        return to(address, settings, settings.directUrl());
    }

    /** A further database, which has no pooler in transaction mode. */
    public static Connection to(ShardAddress shard, DatabaseSettings settings) {
        return to(shard.address(), settings, Optional.empty());
    }

    private static Connection to(
            DatabaseAddress address, DatabaseSettings settings, Optional<DatabaseAddress> behindPooler) {
        var isPooled = behindPooler.isPresent();
        var common = (isPooled ? pooledOptions() : options())
                .setUser(address.user())
                .setPassword(password(address).reveal())
                .setDatabase(address.database())
                .setSslMode(address.sslMode());
        if (address.sslMode() != SslMode.DISABLE) {
            common.setSslOptions(tls(address));
        }
        var servers = address.hosts().stream()
                .map(host -> copy(common).setHost(host.name()).setPort(host.port()))
                .toList();
        var direct = behindPooler.orElse(address);
        return new Connection(
                direct.jdbcUrl(),
                place(direct),
                direct.user(),
                password(direct),
                servers,
                address.primaryOnly(),
                isPooled,
                transport(settings),
                isPooled ? Map.of() : parameters(settings));
    }

    private static Secret password(DatabaseAddress address) {
        return address.password().orElse(new Secret(""));
    }

    private static String place(DatabaseAddress address) {
        return address.hosts().stream()
                        .map(host -> host.name() + ":" + host.port())
                        .collect(Collectors.joining(",")) + "/" + address.database();
    }

    /**
     * {@code force_generic_plan}: a prepared statement has one plan for all parameters, so it is not planned at each
     * use, and the plan that PlansIT inspects is the one that runs.
     */
    private static Map<String, String> parameters(DatabaseSettings settings) {
        return Map.of(
                "plan_cache_mode",
                "force_generic_plan",
                "statement_timeout",
                Long.toString(settings.statementTimeout().toMillis()));
    }

    private static PgConnectOptions options() {
        return new PgConnectOptions()
                .setCachePreparedStatements(true)
                .setPreparedStatementCacheMaxSize(CACHED_STATEMENTS)
                .setPreparedStatementCacheSqlFilter(sql -> true) // by default the longest are not cached
                .setProperties(Map.of("application_name", "vestibule"));
    }

    /** Each statement is prepared for one use, in whichever session it runs, and planned for its parameters. */
    private static PgConnectOptions pooledOptions() {
        return options().setCachePreparedStatements(false).setUseLayer7Proxy(true);
    }

    /** The client's own copies lose the layer 7 proxy setting. */
    static PgConnectOptions copy(PgConnectOptions options) {
        return new PgConnectOptions(options).setUseLayer7Proxy(options.getUseLayer7Proxy());
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
}
