package dev.vestibule.benchmark;

import dev.vestibule.fixture.PostgresProcesses;
import dev.vestibule.fixture.Sql;
import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** The embedded PostgreSQL of a running server, found by its data folder. */
record EmbeddedDatabase(Path dataDir) {
    private static final int PORTS_LINE = 3;

    String url() {
        return "postgresql://vestibule:" + password() + "@127.0.0.1:" + port() + "/vestibule";
    }

    Connection connect() throws SQLException {
        return sql().connect();
    }

    Sql sql() {
        return new Sql(url());
    }

    PgConnectOptions options() {
        return PgConnectOptions.fromUri(url());
    }

    ProcessHandle postmaster() {
        return new PostgresProcesses(dataDir).postmaster().orElseThrow();
    }

    private String password() {
        return read("postgres.password").strip();
    }

    private int port() {
        return Integer.parseInt(
                read("postgres/postmaster.pid").lines().toList().get(PORTS_LINE).strip());
    }

    private String read(String file) {
        try {
            return Files.readString(dataDir.resolve(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
