package dev.vestibule.oauth.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.oauth.server.ClientStore.SecretInfo;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
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
            List<SecretInfo> secrets,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String clientSecret) {}

    private record NewSecret(UUID id, String clientSecret) {}

    private final Database database;
    private final ProjectStore projects = new ProjectStore();
    private final ClientStore clients = new ClientStore();
    private final Clock clock;

    ClientHandler(Database database, Clock clock) {
        this.database = database;
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
        var client = request.allFields(ClientFields::create).create(id.toString(), clock.instant());
        var trail = request.trail();
        return database.inTransaction(transaction -> projects.lock(transaction, project)
                        .compose(locked -> clients.count(transaction, project))
                        .compose(count -> {
                            if (count >= MAX_CLIENTS) {
                                throw ApiException.of(
                                        ErrorCode.LIMIT_REACHED,
                                        "The project already has " + MAX_CLIENTS + " clients.");
                            }
                            return clients.put(transaction, project, client);
                        })
                        .compose(created -> client.isPublic()
                                ? Future.succeededFuture(new Shown(client, List.of(), null))
                                : addSecret(transaction, project, client.id())
                                        .map(secret -> new Shown(client, List.of(info(secret)), secret.clientSecret())))
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
                .compose(client -> clients.secrets(database.writes(), project, client.id())
                        .map(secrets -> Reply.ok(new Shown(client, secrets, null))));
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
        return database.inTransaction(transaction -> projects.lock(transaction, project)
                        .compose(locked -> clients.find(transaction, project, id))
                        .map(found -> found.orElseThrow(ClientHandler::notFound))
                        .map(old -> dev.vestibule.json.Fields.readStrictly(
                                        body, fields -> ClientFields.read(fields, old.kind()))
                                .over(old, clock.instant()))
                        .compose(client -> clients.put(transaction, project, client))
                        .compose(client -> trail.record(
                                        transaction,
                                        Logged.OAUTH_CLIENT_UPDATED,
                                        Target.oauthClient(UUID.fromString(id)),
                                        Map.of("name", client.name()))
                                .compose(recorded -> clients.secrets(transaction, project, id))
                                .map(secrets -> new Shown(client, secrets, null))))
                .map(Reply::ok);
    }

    /** {@code DELETE …/:clientId}: none of its tokens is valid any more. */
    public Future<Reply> delete(ApiRequest request) {
        var project = request.project().id();
        var id = id(request);
        var trail = request.trail();
        return database.inTransaction(transaction -> clients.delete(transaction, project, id)
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
        return database.inTransaction(transaction -> projects.lock(transaction, project)
                        .compose(locked -> clients.find(transaction, project, id))
                        .map(found -> found.orElseThrow(ClientHandler::notFound))
                        .compose(client -> {
                            if (client.isPublic()) {
                                throw ApiException.of(
                                        ErrorCode.LIMIT_REACHED, "A client of this kind cannot keep a secret.");
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
        return database.inTransaction(transaction -> clients.deleteSecret(transaction, project, id, secret)
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
