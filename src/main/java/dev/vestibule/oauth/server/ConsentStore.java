package dev.vestibule.oauth.server;

import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What users have agreed to, by client and API; and where they agreed to go after that. */
final class ConsentStore {
    /** Scopes that belong to no API are kept under this one. */
    static final String NO_RESOURCE = "";

    /** What was agreed to for a place is kept like what was agreed to for an API, under a text that is no URI. */
    static String destination(String place) {
        return "to " + place;
    }

    /** The scopes by the URI of their API, of what the database has put together; null if that was nothing. */
    static Map<String, List<String>> scopes(@Nullable JsonObject found) {
        var scopes = new HashMap<String, List<String>>();
        if (found != null) {
            found.fieldNames().forEach(resource -> scopes.put(resource, AuthorizationRequest.texts(found, resource)));
        }
        return scopes;
    }

    private static final String DEPENDENCIES = EndingStore.dependencies("$1::uuid", "$3::text", "ARRAY[$4::text]");

    private static final String ADD = """
            INSERT INTO oauth_consents AS consent
                (project_id, user_id, client_id, resource, scopes, given_at, depends_on)
            SELECT $1, $2::uuid, $3, $4, $5::text[], $6::timestamptz, depends_on FROM %s AS found
            WHERE EXISTS (SELECT FROM sessions WHERE project_id = $1 AND id = $7)
            ON CONFLICT (project_id, user_id, client_id, resource) DO UPDATE
            SET scopes = CASE WHEN consent.depends_on = excluded.depends_on
                    THEN ARRAY(SELECT DISTINCT unnest(consent.scopes || excluded.scopes)) ELSE excluded.scopes END,
                given_at = excluded.given_at, depends_on = excluded.depends_on
            """.formatted(DEPENDENCIES);

    /**
     * Adds to what the user has agreed to before. Nothing is added in a session that has ended by now: the person who
     * ended it may have taken back all agreements too.
     */
    Future<Void> add(
            SqlClient transaction, ProjectId project, Grant grant, Map<String, List<String>> scopes, Instant now) {
        Future<Void> chain = Future.succeededFuture();
        for (var entry : scopes.entrySet()) {
            chain = chain.compose(done -> Sql.run(
                            transaction,
                            ADD,
                            project,
                            grant.user(),
                            grant.clientId(),
                            entry.getKey(),
                            entry.getValue().toArray(String[]::new),
                            now,
                            grant.session())
                    .mapEmpty());
        }
        return chain;
    }

    private static final String FORGET_CLIENT = """
            DELETE FROM oauth_consents WHERE project_id = $1 AND client_id = $2
            """;

    /** Everybody is asked again. */
    Future<Void> forgetClient(SqlClient db, ProjectId project, String client) {
        return Sql.run(db, FORGET_CLIENT, project, client).mapEmpty();
    }
}
