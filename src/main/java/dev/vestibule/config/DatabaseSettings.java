package dev.vestibule.config;

import java.time.Duration;
import java.util.Optional;

/** Which PostgreSQL to use, the embedded one where there is no address, and how hard. */
public record DatabaseSettings(
        Optional<DatabaseAddress> url,
        int poolSize,
        int poolQueue,
        Duration poolWait,
        int pipelining,
        Duration connectTimeout,
        Duration statementTimeout) {

    static DatabaseSettings read(SettingsSection database) {
        return new DatabaseSettings(
                database.optional(
                        "url",
                        SettingType.DATABASE,
                        "postgresql://vestibule:password@db.example.com:5432/vestibule?sslmode=verify-full",
                        "The server to use, by any number of nodes. Default: an embedded PostgreSQL in dataDir, for one"
                                + " node. sslmode as in libpq (prefer where it is left out); without sslrootcert,"
                                + " certificates are checked against Java's trust store."),
                database.value(
                        "poolSize",
                        SettingType.wholeNumber(1, 1000),
                        "16",
                        "Connections of this node for whatever writes, shared out among the event loops, at least one"
                                + " to each; short reads have one of their own on each."),
                database.value(
                        "poolQueue",
                        SettingType.wholeNumber(1, 100_000),
                        "4096",
                        "Most statements of one event loop that wait for a connection; more are answered with 503."),
                database.value(
                        "poolWaitMillis",
                        SettingType.millis(10, 60_000),
                        "3000",
                        "Longest wait for a connection, answered with 503 beyond it."),
                database.value(
                        "pipelining",
                        SettingType.wholeNumber(1, 1024),
                        "256",
                        "Most short reads under way at once on their connection."),
                database.value(
                        "connectTimeoutMillis",
                        SettingType.millis(100, 60_000),
                        "5000",
                        "Longest time to open a connection."),
                database.value(
                        "statementTimeoutMillis",
                        SettingType.millis(100, 600_000),
                        "10000",
                        "The server gives up a statement that runs longer."));
    }
}
