package dev.vestibule.oauth;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.catalogue.Provider;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** {@code POST /v1/dashboard/projects/:projectId/providers/:provider/test}: begins a trial of the stored settings. */
public final class TryProviderHandler implements ApiHandler {
    private final ProviderTrials trials;
    private final Auditor audit;

    TryProviderHandler(ProviderTrials trials, Auditor audit) {
        this.trials = trials;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        var trail = audit.of(ctx);
        return trials.begin(project, provider)
                .map(begun -> begun.orElseThrow(() -> ApiException.notFound("The provider is not set up.")))
                .map(trial -> {
                    trail.note(
                            AuditEvent.PROVIDER_TRIED,
                            Target.project(project.id().value()),
                            Map.of("provider", provider.name()));
                    return Reply.ok(trial);
                });
    }
}
