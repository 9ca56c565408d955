package dev.vestibule.oauth.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.server.ClientStore.SecretInfo;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.webhook.LogoutEndpointStore;
import dev.vestibule.webhook.LogoutEndpointStore.LogoutEndpoint;
import dev.vestibule.webhook.WebhookId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The clients of a project, {@code /v1/dashboard/projects/:projectId/oauth-clients}: one method per operation. */
public final class ClientHandler {
    private static final int MAX_CLIENTS = 200;
    private static final int MAX_SECRETS = 2;
    private static final int SECRET_BYTES = 32;
    private static final int ENDING = 4;

    /** A client, its secrets as far as they are known, and in the response to its creation the only one in full. */
    private record Shown(
            @JsonUnwrapped Client client,
            @Nullable String backchannelLogoutUri,
            @Nullable WebhookId logoutWebhookId,
            List<SecretInfo> secrets,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String clientSecret) {
        static Shown of(Client client, Optional<LogoutEndpoint> endpoint, List<SecretInfo> secrets) {
            return new Shown(
                    client,
                    endpoint.map(LogoutEndpoint::url).orElse(null),
                    endpoint.map(LogoutEndpoint::id).orElse(null),
                    secrets,
                    null);
        }

        Shown with(SecretInfo info, String secret) {
            return new Shown(client, backchannelLogoutUri, logoutWebhookId, List.of(info), secret);
        }
    }

    private record NewSecret(UUID id, String clientSecret) {}

    private final Database database;
    private final ProjectStore projects = new ProjectStore();
    private final ClientStore clients = new ClientStore();
    private final LogoutEndpointStore logouts = new LogoutEndpointStore();
    private final ProjectChanges changes;
    private final OwnUrls urls;
    private final Clock clock;

    ClientHandler(Database database, ProjectChanges changes, OwnUrls urls, Clock clock) {
        this.database = database;
        this.changes = changes;
        this.urls = urls;
        this.clock = clock;
    }

    /** {@code GET …}: newest first. */
    public Future<Reply> list(ApiRequest request) {
        return clients.list(database.writes(), request.project().id()).map(found -> Reply.ok(Map.of("clients", found)));
    }

    /** {@code POST …}: a client of a kind that keeps a secret gets its first one, shown only here. */
    public Future<Reply> create(ApiRequest request) {
        var project = request.project().id();
        var id = UUID.randomUUID();
        var fields = request.allFields(given -> ClientFields.create(given, urls));
        var client = fields.create(id.toString(), clock.instant());
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> projects.lock(transaction, project)
                                .compose(locked -> clients.count(transaction, project))
                                .compose(count -> {
                                    if (count >= MAX_CLIENTS) {
                                        throw ApiException.of(
                                                ErrorCode.LIMIT_REACHED,
                                                "The project already has " + MAX_CLIENTS + " clients.");
                                    }
                                    return clients.put(transaction, project, client);
                                })
                                .compose(created -> putLogout(transaction, project, client.id(), fields))
                                .compose(endpoint -> client.hasSecrets()
                                        ? addSecret(transaction, project, client.id())
                                                .map(secret -> Shown.of(client, endpoint, List.of())
                                                        .with(info(secret), secret.clientSecret()))
                                        : Future.succeededFuture(Shown.of(client, endpoint, List.of())))
                                .compose(shown -> trail.record(
                                                transaction,
                                                Logged.OAUTH_CLIENT_CREATED,
                                                Target.oauthClient(id),
                                                Map.of(
                                                        "name",
                                                        client.name(),
                                                        "kind",
                                                        client.kind().text()))
                                        .map(shown)))
                .map(Reply::created);
    }

    private SecretInfo info(NewSecret secret) {
        var text = secret.clientSecret();
        return new SecretInfo(secret.id(), text.substring(text.length() - ENDING), clock.instant());
    }

    /** {@code GET …/:clientId}. */
    public Future<Reply> get(ApiRequest request) {
        var project = request.project().id();
        return clients.find(database.writes(), project, id(request))
                .map(found -> found.orElseThrow(ClientHandler::notFound))
                .compose(client -> shown(database.writes(), project, client))
                .map(Reply::ok);
    }

    private Future<Shown> shown(SqlClient db, ProjectId project, Client client) {
        return logouts.find(db, project, client.id())
                .compose(endpoint ->
                        clients.secrets(db, project, client.id()).map(secrets -> Shown.of(client, endpoint, secrets)));
    }

    /** Changes where the client is told of the end of sessions, if the fields say so. */
    private Future<Optional<LogoutEndpoint>> putLogout(
            SqlClient transaction, ProjectId project, String client, ClientFields fields) {
        var change = fields.backchannelLogoutUri();
        var url = change.value();
        var done = !change.isMade()
                ? Future.<Void>succeededFuture()
                : url == null
                        ? logouts.delete(transaction, project, client)
                        : logouts.put(transaction, project, client, url, clock.instant());
        return done.compose(changed -> logouts.find(transaction, project, client));
    }

    private static String id(ApiRequest request) {
        return request.pathId("clientId").toString();
    }

    /** {@code PATCH …/:clientId}: what is given; the kind stays. */
    public Future<Reply> update(ApiRequest request) {
        var project = request.project().id();
        var body = request.body();
        ClientFields.refuseUnknown(body);
        var id = id(request);
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> locked(transaction, project, id)
                                .compose(old -> update(transaction, project, old, body))
                                .compose(client -> trail.record(
                                                transaction,
                                                Logged.OAUTH_CLIENT_UPDATED,
                                                Target.oauthClient(UUID.fromString(id)),
                                                Map.of("name", client.name(), "fields", Body.names(body)))
                                        .compose(recorded -> shown(transaction, project, client))))
                .map(Reply::ok);
    }

    private Future<Client> locked(SqlClient transaction, ProjectId project, String id) {
        return projects.lock(transaction, project)
                .compose(locked -> clients.find(transaction, project, id))
                .map(found -> found.orElseThrow(ClientHandler::notFound));
    }

    private Future<Client> update(SqlClient transaction, ProjectId project, Client old, ObjectNode body) {
        var fields = Fields.readStrictly(body, given -> ClientFields.read(given, old.kind(), urls));
        return clients.put(transaction, project, fields.over(old, clock.instant()))
                .compose(client ->
                        putLogout(transaction, project, client.id(), fields).map(client));
    }

    /** {@code DELETE …/:clientId}: none of its tokens is valid any more. */
    public Future<Reply> delete(ApiRequest request) {
        var project = request.project().id();
        var id = id(request);
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> clients.delete(transaction, project, id)
                                .compose(deleted -> deleted
                                        ? trail.record(
                                                transaction,
                                                Logged.OAUTH_CLIENT_DELETED,
                                                Target.oauthClient(UUID.fromString(id)))
                                        : Future.failedFuture(notFound())))
                .map(deleted -> Reply.success());
    }

    /** {@code POST …/:clientId/secrets}: a second secret, to replace the first without downtime; shown only here. */
    public Future<Reply> createSecret(ApiRequest request) {
        var project = request.project().id();
        var id = id(request);
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> locked(transaction, project, id)
                                .compose(client -> {
                                    if (!client.hasSecrets()) {
                                        throw ApiException.of(
                                                ErrorCode.LIMIT_REACHED, "This client authenticates without a secret.");
                                    }
                                    return clients.secrets(transaction, project, id);
                                })
                                .compose(secrets -> {
                                    if (secrets.size() >= MAX_SECRETS) {
                                        throw ApiException.of(
                                                ErrorCode.LIMIT_REACHED,
                                                "The client already has two secrets. Delete the one that is no longer used.");
                                    }
                                    return addSecret(transaction, project, id);
                                })
                                .compose(secret -> trail.record(
                                                transaction,
                                                Logged.OAUTH_CLIENT_SECRET_CREATED,
                                                Target.oauthClient(UUID.fromString(id)),
                                                Map.of("secretId", secret.id()))
                                        .map(secret)))
                .map(Reply::created);
    }

    private Future<NewSecret> addSecret(SqlClient transaction, ProjectId project, String client) {
        var text = "cs_" + Base64.getUrlEncoder().withoutPadding().encodeToString(RandomSecrets.bytes(SECRET_BYTES));
        var secret = new NewSecret(UuidCreator.getTimeOrderedEpoch(), text);
        return clients.addSecret(transaction, project, client, info(secret), Sha256.of(text))
                .map(secret);
    }

    /** {@code DELETE …/:clientId/secrets/:secretId}: it stops working at once. */
    public Future<Reply> deleteSecret(ApiRequest request) {
        var project = request.project().id();
        var id = id(request);
        var secret = request.pathId("secretId");
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> clients.deleteSecret(transaction, project, id, secret)
                                .compose(deleted -> deleted
                                        ? trail.record(
                                                transaction,
                                                Logged.OAUTH_CLIENT_SECRET_DELETED,
                                                Target.oauthClient(UUID.fromString(id)),
                                                Map.of("secretId", secret))
                                        : Future.failedFuture(
                                                ApiException.of(ErrorCode.NOT_FOUND, "There is no such secret."))))
                .map(deleted -> Reply.success());
    }

    private static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no such client.");
    }
}
