package dev.vestibule.project;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Change;
import dev.vestibule.json.Fields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;

/** {@code PATCH /v1/dashboard/projects/:projectId/keys/:keyId}: renames an API key; null clears its name. */
public final class UpdateKeyHandler implements ApiHandler {
    private final Database database;
    private final ApiKeyStore keys;
    private final Auditor audit;

    public UpdateKeyHandler(Database database, ApiKeyStore keys, Auditor audit) {
        this.database = database;
        this.keys = keys;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var key = PathId.of(ctx, "keyId");
        var name = Fields.readStrictly(Body.of(ctx), UpdateKeyHandler::name);
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> keys.rename(transaction, project.id(), key, name.value())
                        .map(found -> found.orElseThrow(() -> ApiException.notFound("The project has no such key.")))
                        .compose(renamed -> trail.record(
                                        transaction,
                                        AuditEvent.KEY_UPDATED,
                                        Target.apiKey(key),
                                        Map.of("fields", List.of("name")))
                                .map(renamed)))
                .map(renamed -> Reply.ok(KeyResponse.of(renamed, project.environment())));
    }

    /** The only field, so it must be there. */
    private static Change<String> name(Fields fields) {
        var name = fields.change("name", ProjectFields::name);
        if (!name.isMade()) {
            fields.reject("name", "is required; null clears it");
        }
        return name;
    }
}
