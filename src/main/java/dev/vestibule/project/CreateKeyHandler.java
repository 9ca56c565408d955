package dev.vestibule.project;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/dashboard/projects/:projectId/keys}: creates an API key, and returns its full text, the only time for a secret key. */
public final class CreateKeyHandler implements ApiHandler {
    private record Request(ApiKey.Kind kind, @Nullable String name) {}

    private final ProjectChanges changes;
    private final ProjectStore projects;
    private final ApiKeyStore keys;
    private final int maxKeys;
    private final Auditor audit;
    private final Clock clock;

    public CreateKeyHandler(
            ProjectChanges changes, ProjectStore projects, ApiKeyStore keys, int maxKeys, Auditor audit, Clock clock) {
        this.changes = changes;
        this.projects = projects;
        this.keys = keys;
        this.maxKeys = maxKeys;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var request = Fields.readStrictly(
                Body.of(ctx),
                fields -> new Request(
                        fields.required("kind", ApiKey.Kind::of), fields.optional("name", ProjectFields::name)));
        var key = ApiKey.generate(request.kind(), project.environment(), project.id());
        var trail = audit.of(ctx);
        return changes.inTransaction(
                        project.id(),
                        transaction -> create(transaction, key, request.name())
                                .compose(created -> trail.record(
                                                transaction,
                                                AuditEvent.KEY_CREATED,
                                                Target.apiKey(created.id()),
                                                Map.of("kind", request.kind().text()))
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
                        : Future.failedFuture(ApiException.conflict("The project already has " + maxKeys
                                + " API keys, as many as the server's setting projects.maxKeys allows."
                                + " Revoke one that is not used.")))
                .map(inserted -> KeyResponse.ofNew(id, key, name, now));
    }
}
