package dev.vestibule.authentication.oauth;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.catalogue.Provider;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** Trials of a provider, {@code /v1/dashboard/projects/:projectId/providers/:provider/test}. */
public final class ProviderTrialHandler {
    private final ProviderTrials trials;
    private final Auditor audit;

    ProviderTrialHandler(ProviderTrials trials, Auditor audit) {
        this.trials = trials;
        this.audit = audit;
    }

    /** {@code POST}: begins a trial of the stored settings. */
    public Future<Reply> begin(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        var trail = audit.of(ctx);
        return trials.begin(project, provider)
                .map(begun -> begun.orElseThrow(() -> ApiException.notFound("The provider is not set up.")))
                .map(trial -> {
                    trail.enqueue(
                            AuditEvent.PROVIDER_TRIED,
                            Target.project(project.id().value()),
                            Map.of("provider", provider.name()));
                    return Reply.ok(trial);
                });
    }

    /** {@code GET}: the result of the last trial. */
    public Future<Reply> get(RoutingContext ctx) {
        return trials.last(Caller.project(ctx).id(), Provider.fromPath(ctx.pathParam("provider")))
                .map(found -> Reply.ok(found.orElseThrow(
                        () -> ApiException.notFound("There is no test of this provider, or it is over."))));
    }
}
