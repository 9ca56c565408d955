package dev.vestibule.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Which PostgreSQL to use (the embedded one without a URL), and the limits of its use. */
public record DatabaseSettings(
        Optional<DatabaseAddress> url,
        Optional<DatabaseAddress> directUrl,
        List<ShardAddress> shards,
        String newProjects,
        int poolSize,
        int poolQueue,
        Duration poolWait,
        int pipelining,
        int together,
        Duration connectTimeout,
        Duration statementTimeout) {

    static DatabaseSettings read(SettingsSection database) {
        return new DatabaseSettings(
                database.optional(
                        "url",
                        SettingType.DATABASE,
                        "postgresql://vestibule:password@db.example.com:5432/vestibule?sslmode=verify-full",
                        "The PostgreSQL server, which any number of nodes may share. Default: an embedded PostgreSQL"
                                + " in dataDir, for one node. With several hosts (host:port,host:port and"
                                + " target_session_attrs=primary), the primary is used, and found again after a"
                                + " failover. sslmode is as in libpq: the default, prefer, does not check who"
                                + " answers; verify-full does. Without sslrootcert, certificates are checked against"
                                + " Java's trust store."),
                database.optional(
                        "directUrl",
                        SettingType.DATABASE,
                        "postgresql://vestibule:password@db.example.com:5432/vestibule?sslmode=verify-full",
                        "If url is a pooler in transaction mode, such as PgBouncer: the address of PostgreSQL itself,"
                                + " for migrations, which need a session. Everything else goes through the pooler,"
                                + " over up to twice poolSize connections, in sessions that only the role can limit:"
                                + " ALTER ROLE vestibule SET statement_timeout = '10s'. A pooler in session mode"
                                + " needs no setting."),
                database.list(
                        "shards",
                        SettingType.SHARD,
                        "eu=postgresql://vestibule:password@eu.example.com:5432/vestibule",
                        "Further PostgreSQL servers, over which projects are spread, the same on every node: each"
                                + " project is in one of them with everything that it has, and the server of url is"
                                + " home. Each has as many connections as url has, and must be reached without a pooler"
                                + " in transaction mode. In this file, put an address with a ? or a comma in quotes; in the"
                                + " variable, a comma ends an address."),
                database.value(
                        "newProjects",
                        SettingType.SHARD_NAME,
                        ShardAddress.HOME,
                        "Where new projects are created: home, or the name of one of the shards. The command import"
                                + " always writes to home; move-project moves a project on from there."),
                database.value(
                        "poolSize",
                        SettingType.wholeNumber(1, 1000),
                        "16",
                        "Connections of this node for transactions and writes, divided among the event loops, at least"
                                + " one for each. Each event loop has one more connection for short reads."),
                database.value(
                        "poolQueue",
                        SettingType.wholeNumber(1, 100_000),
                        "4096",
                        "Maximum number of statements that wait for a connection on one event loop; further ones get"
                                + " 503."),
                database.value(
                        "poolWaitMillis",
                        SettingType.millis(10, 60_000),
                        "3000",
                        "Longest wait for a connection; then the request gets 503."),
                database.value(
                        "pipelining",
                        SettingType.wholeNumber(1, 1024),
                        "256",
                        "Maximum number of short reads in flight at once on their connection."),
                database.value(
                        "together",
                        SettingType.wholeNumber(1, 1000),
                        "128",
                        "Maximum number of session checks, or of refreshes, that an event loop sends as one"
                                + " statement. Those that arrive while one is running are sent together next."),
                database.value(
                        "connectTimeoutMillis",
                        SettingType.millis(100, 60_000),
                        "5000",
                        "Longest time to open a connection."),
                database.value(
                        "statementTimeoutMillis",
                        SettingType.millis(100, 600_000),
                        "10000",
                        "PostgreSQL cancels a statement that runs longer."));
    }
}
