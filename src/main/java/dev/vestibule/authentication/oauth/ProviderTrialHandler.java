package dev.vestibule.authentication.oauth;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.oauth.catalogue.Provider;
import io.vertx.core.Future;
import java.util.Map;

/** Trials of a provider, {@code /v1/dashboard/projects/:projectId/providers/:provider/test}. */
public final class ProviderTrialHandler {
    private final ProviderTrials trials;

    ProviderTrialHandler(ProviderTrials trials) {
        this.trials = trials;
    }

    /** {@code POST}: begins a trial of the stored settings. */
    public Future<Reply> begin(ApiRequest request) {
        var project = request.project();
        var provider = Provider.fromPath(request.pathParam("provider"));
        var trail = request.trail();
        return trials.begin(project, provider)
                .map(begun ->
                        begun.orElseThrow(() -> ApiException.of(ErrorCode.NOT_FOUND, "The provider is not set up.")))
                .map(trial -> {
                    trail.enqueue(
                            Logged.PROVIDER_TRIED,
                            Target.project(project.id().value()),
                            Map.of("provider", provider.name()));
                    return Reply.ok(trial);
                });
    }

    /** {@code GET}: the result of the last trial. */
    public Future<Reply> get(ApiRequest request) {
        return trials.last(request.project().id(), Provider.fromPath(request.pathParam("provider")))
                .map(found -> Reply.ok(found.orElseThrow(() ->
                        ApiException.of(ErrorCode.NOT_FOUND, "There is no test of this provider, or it is over."))));
    }
}
