package dev.vestibule.project;

import dev.vestibule.access.Caller;
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

/** {@code PATCH /v1/dashboard/projects/:projectId/keys/:keyId}: renames an API key; null clears its name. */
public final class UpdateKeyHandler implements ApiHandler {
    private final Database database;
    private final ApiKeyStore keys;

    public UpdateKeyHandler(Database database, ApiKeyStore keys) {
        this.database = database;
        this.keys = keys;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var key = PathId.of(ctx, "keyId");
        var name = Fields.readStrictly(Body.of(ctx), UpdateKeyHandler::name);
        return keys.rename(database.writes(), project.id(), key, name.value())
                .map(found -> found.orElseThrow(() -> ApiException.notFound("The project has no such key.")))
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
