package dev.vestibule.project;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.json.Change;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ApiKeyStore.StoredKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** API keys of a project, {@code /v1/dashboard/projects/:projectId/keys}: one method per operation. */
public final class ApiKeyHandler {
    private final Database database;
    private final ProjectChanges changes;
    private final ProjectStore projects = new ProjectStore();
    private final ApiKeyStore keys = new ApiKeyStore();
    private final int maxKeys;
    private final Clock clock;

    ApiKeyHandler(Database database, ProjectChanges changes, int maxKeys, Clock clock) {
        this.database = database;
        this.changes = changes;
        this.maxKeys = maxKeys;
        this.clock = clock;
    }

    private record KeyPage(List<KeyResponse> keys, long total) {}

    /** {@code GET /v1/dashboard/projects/:projectId/keys}: a page of the project's API keys, newest first. */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project();
        var page = request.query(Query::page);
        var total = keys.count(database.writes(), project.id());
        return keys.list(database.writes(), project.id(), page)
                .map(found -> responses(found, project.environment()))
                .compose(found -> total.map(count -> Reply.ok(new KeyPage(found, count))));
    }

    private static List<KeyResponse> responses(List<StoredKey> keys, Environment environment) {
        return keys.stream().map(key -> KeyResponse.of(key, environment)).toList();
    }

    private record CreateRequest(ApiKey.Kind kind, @Nullable String name) {}

    /**
     * {@code POST /v1/dashboard/projects/:projectId/keys}: creates an API key, and returns its full text; for a secret
     * key, this is the only time.
     */
    public Future<Reply> create(ApiRequest request) {
        var project = request.project();
        var input = request.allFields(fields -> new CreateRequest(
                fields.required("kind", ApiKey.Kind::of), fields.optional("name", ProjectFields::name)));
        var key = ApiKey.generate(input.kind(), project.environment(), project.id());
        var trail = request.trail();
        return changes.inTransaction(
                        project.id(),
                        transaction -> create(transaction, key, input.name())
                                .compose(created -> trail.record(
                                                transaction,
                                                Logged.KEY_CREATED,
                                                Target.apiKey(created.id()),
                                                Map.of("kind", input.kind().text()))
                                        .map(created)))
                .map(Reply::created);
    }

    /** Locks the project, so that no other request adds a key between the count and the insert. */
    private Future<KeyResponse> create(SqlClient transaction, ApiKey key, @Nullable String name) {
        var id = UuidCreator.getTimeOrderedEpoch();
        var now = clock.instant();
        return projects.lock(transaction, key.project())
                .compose(locked -> keys.count(transaction, key.project()))
                .compose(count -> count < maxKeys
                        ? keys.insert(transaction, key.project(), id, key, name, now)
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.LIMIT_REACHED,
                                "The project already has " + maxKeys
                                        + " API keys, as many as the server's setting projects.maxKeys allows."
                                        + " Revoke one that is not used.")))
                .map(inserted -> KeyResponse.ofNew(id, key, name, now));
    }

    /** {@code PATCH /v1/dashboard/projects/:projectId/keys/:keyId}: renames an API key; null clears its name. */
    public Future<Reply> update(ApiRequest request) {
        var project = request.project();
        var key = request.pathId("keyId");
        var name = request.allFields(ApiKeyHandler::name);
        var trail = request.trail();
        return database.inTransaction(transaction -> keys.rename(transaction, project.id(), key, name.value())
                        .map(found -> found.orElseThrow(ApiKeyHandler::unknown))
                        .compose(renamed -> trail.record(
                                        transaction,
                                        Logged.KEY_UPDATED,
                                        Target.apiKey(key),
                                        Map.of("fields", List.of("name")))
                                .map(renamed)))
                .map(renamed -> Reply.ok(KeyResponse.of(renamed, project.environment())));
    }

    /** The only field of the request, so it is required. */
    private static Change<String> name(Fields fields) {
        var name = fields.change("name", ProjectFields::name);
        if (!name.isMade()) {
            fields.reject("name", "is required; null clears it");
        }
        return name;
    }

    /** {@code DELETE /v1/dashboard/projects/:projectId/keys/:keyId}: revokes an API key at once. */
    public Future<Reply> revoke(ApiRequest request) {
        var project = request.project().id();
        var key = request.pathId("keyId");
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> keys.delete(transaction, project, key)
                                .compose(deleted ->
                                        deleted ? Future.<Void>succeededFuture() : Future.failedFuture(unknown()))
                                .compose(deleted -> trail.record(transaction, Logged.KEY_REVOKED, Target.apiKey(key))))
                .map(revoked -> Reply.success());
    }

    private static ApiException unknown() {
        return ApiException.of(ErrorCode.NOT_FOUND, "The project has no such key.");
    }

    /** An API key as the API returns it. The full text of a secret key is returned only when it is created. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    private record KeyResponse(
            UUID id,
            ApiKey.Kind kind,
            @Nullable String name,
            String key,
            Instant createdAt,
            @Nullable Instant lastUsedAt) {

        static KeyResponse ofNew(UUID id, ApiKey key, @Nullable String name, Instant now) {
            return new KeyResponse(id, key.kind(), name, key.text(), now, null);
        }

        static KeyResponse of(StoredKey key, Environment environment) {
            return new KeyResponse(
                    key.id(),
                    key.kind(),
                    key.name(),
                    Objects.requireNonNullElseGet(
                            key.publicText(), () -> ApiKey.hint(key.kind(), environment, key.lastFour())),
                    key.createdAt(),
                    key.lastUsedAt());
        }

        @Override
        public String toString() {
            return "KeyResponse[" + id + "]";
        }
    }
}
