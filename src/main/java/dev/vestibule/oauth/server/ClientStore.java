package dev.vestibule.oauth.server;

import dev.vestibule.database.OldRows;
import dev.vestibule.database.Rows;
import dev.vestibule.database.Sql;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The clients of a project and the hashes of their secrets. */
final class ClientStore {
    private static final String WITHOUT_GRANTS = """
            NOT EXISTS (
                SELECT FROM oauth_grants WHERE project_id = oauth_clients.project_id AND client_id = oauth_clients.id)
            """;

    private static final String WITHOUT_CONSENTS = """
            NOT EXISTS (
                SELECT FROM oauth_consents WHERE project_id = oauth_clients.project_id AND client_id = oauth_clients.id)
            """;

    /** Clients that registered themselves and that nobody uses. */
    static final OldRows UNUSED =
            OldRows.by("oauth_clients", "used_at", "registration_token_hash IS NOT NULL AND " + WITHOUT_GRANTS);

    /** Clients by metadata document that nobody uses. */
    static final OldRows UNUSED_DOCUMENTS =
            OldRows.by("oauth_clients", "fresh_until", WITHOUT_GRANTS + "AND " + WITHOUT_CONSENTS);

    private static final String COLUMNS = """
            id, project_id, kind, name, redirect_uris, post_logout_redirect_uris, is_first_party, authentication, jwks,
            jwks_uri, federated_identities, requires_pkce, requires_pushed_requests, uses_device_flow, may_exchange_tokens,
            binds_tokens, id_token_algorithm, claims_in_id_token, api_scopes, resource,
            registration_token_hash IS NOT NULL AS registered_itself, fresh_until, created_at, updated_at""";

    private static final String LIST = """
            SELECT %s FROM oauth_clients WHERE project_id = $1 AND kind <> 'document' ORDER BY created_at DESC, id
            """.formatted(COLUMNS);

    /** All but those by metadata document, newest first. */
    Future<List<Client>> list(SqlClient db, ProjectId project) {
        return Sql.run(db, LIST, project).map(rows -> Rows.all(rows, ClientStore::client));
    }

    private static final String LIST_OF_OWNERS = """
            SELECT %s FROM oauth_clients
            WHERE project_id = $1 AND kind <> 'document' AND registration_token_hash IS NULL
            """.formatted(COLUMNS);

    /** The clients that owners have registered. */
    Future<List<Client>> listOfOwners(SqlClient db, ProjectId project) {
        return Sql.run(db, LIST_OF_OWNERS, project).map(rows -> Rows.all(rows, ClientStore::client));
    }

    private static final String FIND = """
            SELECT %s FROM oauth_clients AS client
            WHERE project_id = $1 AND id = $2
              AND NOT EXISTS (SELECT FROM oauth_endings WHERE project_id = $1 AND id = client.ends_as)
            """.formatted(COLUMNS);

    Future<Optional<Client>> find(SqlClient db, ProjectId project, String id) {
        return Sql.run(db, FIND, project, id).map(rows -> Rows.first(rows, ClientStore::client));
    }

    private static final String PUT = """
            INSERT INTO oauth_clients (project_id, id, kind, name, redirect_uris, post_logout_redirect_uris,
                                       is_first_party, authentication, jwks, jwks_uri, federated_identities,
                                       requires_pkce, requires_pushed_requests, uses_device_flow,
                                       may_exchange_tokens, binds_tokens, id_token_algorithm, claims_in_id_token, api_scopes, resource, fresh_until,
                                       created_at, updated_at, ends_as)
            SELECT $1, $2, $3, $4, $5::text[], $6::text[], $7::boolean, $8, $9::jsonb, $10, $11::jsonb, $12::boolean,
                   $13::boolean, $14::boolean, $15::boolean, $16::boolean, $17, $18::boolean, $19::jsonb, $20,
                   CASE WHEN $3::text <> 'document'
                          OR EXISTS (SELECT FROM oauth_grants WHERE project_id = $1 AND client_id = $2)
                          OR EXISTS (SELECT FROM oauth_consents WHERE project_id = $1 AND client_id = $2)
                        THEN $21::timestamptz
                        ELSE least($21::timestamptz, $23::timestamptz + interval '15 minutes') END,
                   $22::timestamptz, $23::timestamptz,
                   CASE WHEN $3::text = 'document' THEN project.document_clients_end_as ELSE $2::text::uuid END
            FROM projects AS project
            WHERE project.id = $1 AND ($3::text <> 'document' OR project.client_metadata_documents)
            FOR SHARE
            ON CONFLICT (project_id, id) DO UPDATE
            SET name = excluded.name, redirect_uris = excluded.redirect_uris,
                post_logout_redirect_uris = excluded.post_logout_redirect_uris, is_first_party = excluded.is_first_party,
                authentication = excluded.authentication, jwks = excluded.jwks, jwks_uri = excluded.jwks_uri,
                federated_identities = excluded.federated_identities, requires_pkce = excluded.requires_pkce,
                requires_pushed_requests = excluded.requires_pushed_requests,
                uses_device_flow = excluded.uses_device_flow, may_exchange_tokens = excluded.may_exchange_tokens,
                binds_tokens = excluded.binds_tokens,
                id_token_algorithm = excluded.id_token_algorithm, claims_in_id_token = excluded.claims_in_id_token,
                api_scopes = excluded.api_scopes, resource = excluded.resource, fresh_until = excluded.fresh_until,
                updated_at = excluded.updated_at, ends_as = excluded.ends_as
            """;

    /**
     * Creates or replaces a client; does nothing about one by metadata document if the project has just done away with
     * them. Strangers can name any number of documents, so one that nobody has agreed to is not kept for long, whatever
     * it says itself.
     */
    Future<Client> put(SqlClient db, ProjectId project, Client client) {
        var scopes = new JsonObject();
        client.apiScopes().forEach((resource, granted) -> scopes.put(resource, new JsonArray(granted)));
        return Sql.run(
                        db,
                        PUT,
                        project,
                        client.id(),
                        client.kind().text(),
                        client.name(),
                        client.redirectUris().toArray(String[]::new),
                        client.postLogoutRedirectUris().toArray(String[]::new),
                        client.firstParty(),
                        client.authentication(),
                        client.jwks() == null ? null : new JsonObject(client.jwks()),
                        client.jwksUri(),
                        new JsonArray(client.federatedIdentities().stream()
                                .map(ClientStore::json)
                                .toList()),
                        client.requirePkce(),
                        client.requirePushedRequests(),
                        client.deviceFlow(),
                        client.tokenExchange(),
                        client.dpopBoundAccessTokens(),
                        client.idTokenAlgorithm(),
                        client.claimsInIdToken(),
                        scopes,
                        client.resource(),
                        client.freshUntil(),
                        client.createdAt(),
                        client.updatedAt())
                .map(client);
    }

    private static final String DELETE = """
            DELETE FROM oauth_clients WHERE project_id = $1 AND id = $2
            """;

    /** Deletes the client with its secrets and requests, and ends its grants and consents; false if there is none. */
    Future<Boolean> delete(SqlClient db, ProjectId project, String id) {
        return Sql.run(db, DELETE, project, id).map(rows -> rows.rowCount() == 1);
    }

    private static final String COUNT = """
            SELECT count(*) AS total FROM oauth_clients
            WHERE project_id = $1 AND kind <> 'document' AND registration_token_hash IS NULL
            """;

    /** How many owners have registered. */
    Future<Long> count(SqlClient db, ProjectId project) {
        return Sql.run(db, COUNT, project).map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    /** A secret, as far as it can be shown again. */
    record SecretInfo(UUID id, String ending, Instant createdAt) {}

    private static final String SECRETS = """
            SELECT project_id, id, ending, created_at FROM oauth_client_secrets
            WHERE project_id = $1 AND client_id = $2
            ORDER BY created_at, id
            """;

    /** Oldest first. */
    Future<List<SecretInfo>> secrets(SqlClient db, ProjectId project, String client) {
        return Sql.run(db, SECRETS, project, client)
                .map(rows -> Rows.all(
                        rows,
                        row -> new SecretInfo(
                                row.getUUID("id"), row.getString("ending"), Rows.instant(row, "created_at"))));
    }

    private static final String ADD_SECRET = """
            INSERT INTO oauth_client_secrets (project_id, client_id, id, secret_hash, ending, created_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """;

    Future<Void> addSecret(SqlClient db, ProjectId project, String client, SecretInfo secret, byte[] hash) {
        return Sql.run(
                        db,
                        ADD_SECRET,
                        project,
                        client,
                        secret.id(),
                        Buffer.buffer(hash),
                        secret.ending(),
                        secret.createdAt())
                .mapEmpty();
    }

    private static final String DELETE_SECRET = """
            DELETE FROM oauth_client_secrets WHERE project_id = $1 AND client_id = $2 AND id = $3
            """;

    Future<Boolean> deleteSecret(SqlClient db, ProjectId project, String client, UUID secret) {
        return Sql.run(db, DELETE_SECRET, project, client, secret).map(rows -> rows.rowCount() == 1);
    }

    private static final String HAS_SECRET = """
            SELECT FROM oauth_client_secrets WHERE project_id = $1 AND client_id = $2 AND secret_hash = $3
            """;

    Future<Boolean> hasSecret(SqlClient db, ProjectId project, String client, byte[] hash) {
        return Sql.run(db, HAS_SECRET, project, client, Buffer.buffer(hash)).map(rows -> rows.size() == 1);
    }

    private static final String COUNT_REGISTERED = """
            SELECT count(*) AS total FROM oauth_clients
            WHERE project_id = $1 AND kind <> 'document' AND used_at IS NOT NULL
            """;

    /**
     * How many clients have registered themselves: only these have a time of use. A condition on their token would let
     * the plan read an index of all projects.
     */
    Future<Long> countRegistered(SqlClient db, ProjectId project) {
        return Sql.run(db, COUNT_REGISTERED, project).map(rows -> Rows.single(rows, row -> row.getLong("total")));
    }

    private static final String SET_REGISTRATION_TOKEN = """
            UPDATE oauth_clients SET registration_token_hash = $3, used_at = $4 WHERE project_id = $1 AND id = $2
            """;

    /** The client manages itself with this token. */
    Future<Void> setRegistrationToken(SqlClient db, ProjectId project, String client, byte[] hash, Instant now) {
        return Sql.run(db, SET_REGISTRATION_TOKEN, project, client, Buffer.buffer(hash), now)
                .mapEmpty();
    }

    private static final String FIND_REGISTERED = """
            SELECT %s FROM oauth_clients WHERE project_id = $1 AND id = $2 AND registration_token_hash = $3
            """.formatted(COLUMNS);

    /** A client that has registered itself, by the token that manages it. */
    Future<Optional<Client>> findRegistered(SqlClient db, ProjectId project, String id, byte[] hash) {
        return Sql.run(db, FIND_REGISTERED, project, id, Buffer.buffer(hash))
                .map(rows -> Rows.first(rows, ClientStore::client));
    }

    private static final String LOCK_REGISTERED = """
            SELECT FROM oauth_clients WHERE project_id = $1 AND id = $2 AND registration_token_hash = $3 FOR UPDATE
            """;

    /** Keeps others from changing or deleting it until the end of the transaction; false if it is gone. */
    Future<Boolean> lockRegistered(SqlClient transaction, ProjectId project, String id, byte[] hash) {
        return Sql.run(transaction, LOCK_REGISTERED, project, id, Buffer.buffer(hash))
                .map(rows -> rows.size() == 1);
    }

    private static final String MARK_USED = """
            UPDATE oauth_clients SET used_at = $3
            WHERE project_id = $1 AND id = $2 AND registration_token_hash IS NOT NULL AND used_at < $4
            """;

    /** Somebody signs in to a client that has registered itself; kept at most once after {@code since}. */
    Future<Void> markUsed(SqlClient db, ProjectId project, String id, Instant now, Instant since) {
        return Sql.run(db, MARK_USED, project, id, now, since).mapEmpty();
    }

    private static final String SECRET_HASHES = """
            SELECT secret.project_id, secret.client_id, secret.secret_hash
            FROM oauth_client_secrets AS secret
            JOIN oauth_clients AS client ON client.project_id = $1 AND client.id = secret.client_id
            WHERE secret.project_id = $1 AND client.kind <> 'document' AND client.registration_token_hash IS NULL
            """;

    /** The hashes of all secrets of the clients that owners have registered, by client. */
    Future<Map<String, Set<Buffer>>> secretHashes(SqlClient db, ProjectId project) {
        return Sql.run(db, SECRET_HASHES, project).map(rows -> {
            var hashes = new HashMap<String, Set<Buffer>>();
            rows.forEach(row -> hashes.computeIfAbsent(row.getString("client_id"), first -> new HashSet<>())
                    .add(row.getBuffer("secret_hash")));
            return hashes;
        });
    }

    private static Client client(Row row) {
        var jwks = row.getJsonObject("jwks");
        return new Client(
                row.getString("id"),
                ClientKind.of(row.getString("kind")),
                row.getString("name"),
                List.of(row.getArrayOfStrings("redirect_uris")),
                List.of(row.getArrayOfStrings("post_logout_redirect_uris")),
                row.getBoolean("is_first_party"),
                row.getString("authentication"),
                jwks == null ? null : jwks.getMap(),
                row.getString("jwks_uri"),
                row.getJsonArray("federated_identities").stream()
                        .map(stored -> identity((JsonObject) stored))
                        .toList(),
                row.getBoolean("requires_pkce"),
                row.getBoolean("requires_pushed_requests"),
                row.getBoolean("uses_device_flow"),
                row.getBoolean("may_exchange_tokens"),
                row.getBoolean("binds_tokens"),
                row.getString("id_token_algorithm"),
                row.getBoolean("claims_in_id_token"),
                lists(row.getJsonObject("api_scopes")),
                row.getString("resource"),
                row.getBoolean("registered_itself"),
                Rows.optionalInstant(row, "fresh_until"),
                Rows.instant(row, "created_at"),
                Rows.instant(row, "updated_at"));
    }

    private static JsonObject json(FederatedIdentity identity) {
        return new JsonObject()
                .put("issuer", identity.issuer())
                .put("subject", identity.subject())
                .put("audience", identity.audience())
                .put("singleUse", identity.singleUse())
                .put("jwks", identity.jwks() == null ? null : new JsonObject(identity.jwks()));
    }

    private static FederatedIdentity identity(JsonObject stored) {
        var jwks = stored.getJsonObject("jwks");
        return new FederatedIdentity(
                stored.getString("issuer"),
                stored.getString("subject"),
                stored.getString("audience"),
                stored.getBoolean("singleUse"),
                jwks == null ? null : jwks.getMap());
    }

    private static Map<String, List<String>> lists(JsonObject stored) {
        var lists = new LinkedHashMap<String, List<String>>();
        stored.forEach(entry -> lists.put(
                entry.getKey(),
                ((JsonArray) entry.getValue()).stream().map(String::valueOf).toList()));
        return lists;
    }
}
