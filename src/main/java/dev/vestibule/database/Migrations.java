package dev.vestibule.database;

import org.flywaydb.core.Flyway;

/**
 * Brings the schema up to this version of the server. Flyway holds a lock in the database meanwhile, so any number of
 * nodes may start at once; a schema newer than the server is left alone, so that nodes can be upgraded one by one.
 */
public final class Migrations {
    private Migrations() {}

    /** Blocks until the schema is current; fails with a message fit for the operator. */
    public static void run(String jdbcUrl, String user, String password) {
        Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(jdbcUrl, user, password)
                .locations("classpath:db/migration")
                .table("schema_history")
                .connectRetries(10)
                .connectRetriesInterval(1)
                .ignoreMigrationPatterns("*:future")
                .load()
                .migrate();
    }
}
