package dev.vestibule.project.branding;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.HashingPool.JobLength;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.branding.BrandingStore.Update;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A project's branding, for applications and for members: one method per operation. */
public final class BrandingHandler {
    private final Database database;
    private final BrandingCache brandings;
    private final BrandingStore store = new BrandingStore();
    private final ProjectChanges changes;
    private final HashingPool workers;

    /** Logos are checked on the threads of the hashing pool, since a large one would block the event loop. */
    public BrandingHandler(Database database, BrandingCache brandings, ProjectChanges changes, HashingPool workers) {
        this.database = database;
        this.brandings = brandings;
        this.changes = changes;
        this.workers = workers;
    }

    /** {@code GET /v1/auth/branding}: the branding of the project that the API key belongs to. */
    public Future<Reply> get(ApiRequest request) {
        return brandings
                .reply(database.reads(), request.project().id())
                .map(found -> found.orElseThrow(
                        () -> ApiException.of(ErrorCode.INVALID_API_KEY, "The API key is invalid or was deleted.")));
    }

    /** {@code GET /v1/dashboard/projects/:projectId/branding}: the branding, for the project's members. */
    public Future<Reply> getOfProject(ApiRequest request) {
        return store.find(database.writes(), request.project().id()).map(BrandingHandler::reply);
    }

    /** {@code PATCH /v1/dashboard/projects/:projectId/branding}: changes the given fields; null resets one. */
    public Future<Reply> update(ApiRequest request) {
        var project = request.project().id();
        var body = request.body();
        var trail = request.trail();
        var changed = Body.names(body);
        return workers.run(project.value(), JobLength.LONG, () -> read(body))
                .compose(update -> save(trail, project, update, changed))
                .map(BrandingHandler::reply);
    }

    /** Runs outside the event loop: parsing an SVG of 200 KiB takes 10 ms, and the first one 100 ms. */
    private static Update read(ObjectNode body) {
        return Fields.readStrictly(body, BrandingDraft::update);
    }

    private Future<Optional<Branding>> save(Trail trail, ProjectId project, Update update, List<String> changed) {
        return changes.inTransaction(
                project,
                transaction -> store.update(transaction, project, update)
                        .compose(updated -> trail.record(
                                transaction,
                                Logged.BRANDING_UPDATED,
                                Target.project(project.value()),
                                Map.of("fields", changed)))
                        .compose(recorded -> store.find(transaction, project)));
    }

    private static Reply reply(Optional<Branding> found) {
        return Reply.ok(found.orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "There is no such project.")));
    }
}
