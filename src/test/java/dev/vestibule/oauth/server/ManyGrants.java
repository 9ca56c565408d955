package dev.vestibule.oauth.server;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.sql.Connection;
import java.sql.SQLException;

/** More grants of a project than one transaction removes, all like those that it had. */
record ManyGrants(TestServer server, TestProject project, long total) {
    private static final String COPY = """
            INSERT INTO oauth_grants (project_id, id, client_id, user_id, session_id, is_offline, scopes, resources, claims,
                                      amr, rotated_at, created_at, expires_at, sweep_at, depends_on)
            SELECT project_id, gen_random_uuid(), client_id, user_id, session_id, is_offline, scopes, resources, claims, amr,
                   rotated_at, created_at, expires_at, sweep_at, depends_on
            FROM (SELECT * FROM oauth_grants WHERE project_id = ?::uuid ORDER BY created_at DESC LIMIT 1) AS latest
            CROSS JOIN generate_series(1, 2100)
            """;

    static ManyGrants likeThoseOf(TestServer server, TestProject project) {
        server.sql().update(COPY, project.id());
        var all = new ManyGrants(server, project, 0);
        return new ManyGrants(server, project, all.count());
    }

    long count() {
        return server.sql().count("SELECT count(*) FROM oauth_grants WHERE project_id = ?::uuid", project.id());
    }

    /** Somebody else works with the latest of them, so that it cannot be removed. */
    Connection lock() throws SQLException {
        var connection = server.sql().connect();
        connection.setAutoCommit(false);
        try (var select = connection.prepareStatement("SELECT FROM oauth_grants WHERE project_id = ?::uuid"
                + " ORDER BY created_at DESC, code_hash IS NULL LIMIT 1 FOR UPDATE")) {
            select.setString(1, project.id());
            select.execute();
        }
        return connection;
    }

    /** Until none is left, and verifiers have been told of each. */
    void awaitRemoval() {
        Eventually.until(
                "all are removed",
                () -> server.sql().count("SELECT count(*) FROM oauth_endings WHERE project_id = ?::uuid", project.id())
                        == 0);
        var told = server.sql().count("SELECT count(*) FROM revocations WHERE project_id = ?::uuid", project.id());
        if (told < total - count()) {
            throw new AssertionError(told + " of " + total + " were told");
        }
    }
}
