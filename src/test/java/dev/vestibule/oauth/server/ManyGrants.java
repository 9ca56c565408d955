package dev.vestibule.oauth.server;

import dev.vestibule.fixture.Eventually;
import dev.vestibule.fixture.OauthBrowser;
import dev.vestibule.fixture.TestProject;
import dev.vestibule.fixture.TestServer;
import java.sql.Connection;
import java.sql.SQLException;

/** More grants of a project than one transaction removes, all like those that it had. */
record ManyGrants(TestServer server, TestProject project, long total) {
    static ManyGrants likeThoseOf(TestServer server, TestProject project) {
        var client = server.sql()
                .texts(
                        "SELECT client_id FROM oauth_grants WHERE project_id = ?::uuid ORDER BY created_at DESC LIMIT 1",
                        project.id())
                .get(0);
        OauthBrowser.addGrants(server, project, client, 2100, "0 s");
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
