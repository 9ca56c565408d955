package dev.vestibule.project;

import dev.vestibule.access.Caller;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.json.WebUrl;
import dev.vestibule.project.ProjectStore.Update;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;

/** {@code PATCH /v1/dashboard/projects/:projectId}: changes the given settings, with effect from the next request. */
public final class UpdateProjectHandler implements ApiHandler {
    private static final int MAX_ORIGINS = 100;
    private static final int MIN_ACCESS_TTL = 60;
    private static final int MAX_ACCESS_TTL = 86_400;
    private static final int MIN_SESSION_LIFETIME = 300;
    private static final int MAX_SESSION_LIFETIME = 31_536_000;
    private static final int MAX_SESSIONS = 100;

    private record Response(boolean success, ProjectResponse project) {}

    private final ProjectChanges changes;
    private final ProjectStore projects;
    private final Clock clock;

    public UpdateProjectHandler(ProjectChanges changes, ProjectStore projects, Clock clock) {
        this.changes = changes;
        this.projects = projects;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var update = Fields.readStrictly(Body.of(ctx), UpdateProjectHandler::update);
        return changes.inTransaction(
                        project, transaction -> projects.update(transaction, project, update, clock.instant()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("There is no such project.")))
                .map(updated -> Reply.ok(new Response(true, ProjectResponse.of(updated))));
    }

    private static Update update(Fields fields) {
        var config = fields.object("sessionConfig");
        return new Update(
                fields.replacement("name", ProjectFields::name),
                fields.change("callbackUrl", WebUrl::absolute),
                fields.replacement("allowedOrigins", FieldType.strings(MAX_ORIGINS, ProjectFields::origin)),
                config.change("accessTokenTtl", FieldType.integer(MIN_ACCESS_TTL, MAX_ACCESS_TTL)),
                config.replacement("refreshTokenTtl", FieldType.integer(MIN_SESSION_LIFETIME, MAX_SESSION_LIFETIME)),
                config.replacement("maxLifetime", FieldType.integer(MIN_SESSION_LIFETIME, MAX_SESSION_LIFETIME)),
                config.replacement("maxConcurrentSessions", FieldType.integer(1, MAX_SESSIONS)),
                fields.replacement("requireEmailVerification", FieldType.bool()),
                fields.change("locale", Language::of),
                fields.change("passwordResetUrl", WebUrl::absolute));
    }
}
