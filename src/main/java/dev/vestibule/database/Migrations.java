package dev.vestibule.database;

import org.flywaydb.core.Flyway;

/**
 * Migrates the schema to this version of the server. Flyway holds a lock in the database while it runs, so any number
 * of nodes may start at once. A schema that is newer than the server is accepted, so that nodes can be upgraded one by
 * one.
 */
public final class Migrations {
    private Migrations() {}

    /** Blocks until the schema is current. Flyway's exception says what is wrong. */
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
