package dev.vestibule.oauth.server;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.Map;
import java.util.UUID;

/** The APIs of a project, {@code /v1/dashboard/projects/:projectId/oauth-apis}: one method per operation. */
public final class ResourceHandler {
    private static final int MAX_RESOURCES = 100;

    private final Database database;
    private final ProjectStore projects = new ProjectStore();
    private final ResourceStore resources = new ResourceStore();
    private final ProjectChanges changes;
    private final Clock clock;

    ResourceHandler(Database database, ProjectChanges changes, Clock clock) {
        this.database = database;
        this.changes = changes;
        this.clock = clock;
    }

    /** {@code GET …}: oldest first. */
    public Future<Reply> list(ApiRequest request) {
        return resources.list(database.writes(), request.project().id()).map(found -> Reply.ok(Map.of("apis", found)));
    }

    /** {@code POST …}. */
    public Future<Reply> create(ApiRequest request) {
        var project = request.project().id();
        var id = UuidCreator.getTimeOrderedEpoch();
        var fields = request.allFields(ResourceFields::read);
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> projects.lock(transaction, project)
                                .compose(locked -> resources.list(transaction, project))
                                .compose(all -> {
                                    if (all.size() >= MAX_RESOURCES) {
                                        throw ApiException.of(
                                                ErrorCode.LIMIT_REACHED,
                                                "The project already has " + MAX_RESOURCES + " APIs.");
                                    }
                                    if (all.stream().anyMatch(other -> other.isNamed(fields.uri()))) {
                                        throw ApiException.of(
                                                ErrorCode.NAME_TAKEN, "The project has an API with this uri.");
                                    }
                                    return clearDefault(transaction, project, id, fields);
                                })
                                .compose(cleared -> resources.insert(transaction, project, id, fields, clock.instant()))
                                .map(created -> created.orElseThrow(ResourceHandler::notFound))
                                .compose(created -> trail.record(
                                                transaction,
                                                Logged.OAUTH_API_CREATED,
                                                Target.oauthApi(id),
                                                Map.of("uri", created.uri()))
                                        .map(created)))
                .map(Reply::created);
    }

    private Future<Void> clearDefault(SqlClient transaction, ProjectId project, UUID id, ResourceFields fields) {
        return fields.isDefault() ? resources.clearDefault(transaction, project, id) : Future.succeededFuture();
    }

    /** {@code PUT …/:apiId}: replaces its name, scopes and whether it is the default; its uri must be the same. */
    public Future<Reply> update(ApiRequest request) {
        var project = request.project().id();
        var id = request.pathId("apiId");
        var fields = request.allFields(ResourceFields::read);
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> projects.lock(transaction, project)
                                .compose(locked -> clearDefault(transaction, project, id, fields))
                                .compose(cleared -> resources.update(transaction, project, id, fields, clock.instant()))
                                .map(updated -> updated.orElseThrow(ResourceHandler::notFound))
                                .compose(updated -> trail.record(
                                                transaction,
                                                Logged.OAUTH_API_UPDATED,
                                                Target.oauthApi(id),
                                                Map.of("uri", updated.uri()))
                                        .map(updated)))
                .map(Reply::ok);
    }

    /** {@code DELETE …/:apiId}: ends the grants for it too. */
    public Future<Reply> delete(ApiRequest request) {
        var project = request.project().id();
        var id = request.pathId("apiId");
        var trail = request.trail();
        return changes.inTransaction(
                        project,
                        transaction -> resources
                                .delete(transaction, project, id)
                                .compose(deleted -> deleted
                                        ? trail.record(transaction, Logged.OAUTH_API_DELETED, Target.oauthApi(id))
                                        : Future.failedFuture(notFound())))
                .map(deleted -> Reply.success());
    }

    private static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is no API with this id and uri.");
    }
}
