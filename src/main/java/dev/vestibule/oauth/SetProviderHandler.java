package dev.vestibule.oauth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.caller.CallerHandler;
import dev.vestibule.database.Database;
import dev.vestibule.error.Refusal;
import dev.vestibule.error.Violation;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Value;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import dev.vestibule.provider.OauthFlow;
import dev.vestibule.provider.Provider;
import dev.vestibule.provider.ProviderSettings;
import dev.vestibule.provider.ProviderSettings.Wish;
import dev.vestibule.provider.ProviderStore;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;
import java.util.Objects;

/** {@code PUT /v1/dashboard/projects/:projectId/providers/:provider}: sets a provider up, or anew. */
public final class SetProviderHandler implements ApiHandler {
    private final Database database;
    private final ProjectChanges changes;
    private final ProviderStore store;
    private final Clock clock;

    public SetProviderHandler(Database database, ProjectChanges changes, ProviderStore store, Clock clock) {
        this.database = database;
        this.changes = changes;
        this.store = store;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = CallerHandler.project(ctx).id();
        var provider = ProviderFields.inPath(ctx.pathParam("provider"));
        var body = Body.of(ctx);
        return store.isSetUp(database.writes(), project, provider)
                .map(isSetUp -> wish(body, isSetUp))
                .compose(wish -> put(project, provider, wish))
                .map(Reply::ok);
    }

    /** A secret is needed only where none is stored. */
    private static Wish wish(ObjectNode body, boolean isSetUp) {
        return Fields.read(
                body,
                fields -> new Wish(
                        fields.required("clientId", ProviderFields::clientId),
                        isSetUp
                                ? fields.optional("clientSecret", ProviderFields::clientSecret)
                                : fields.required("clientSecret", ProviderFields::clientSecret),
                        fields.required("enabled", Value.flag()),
                        fields.optional("scopes", ProviderFields.SCOPES),
                        Objects.requireNonNullElse(fields.optional("oauthFlow", OauthFlow::of), OauthFlow.AUTO)));
    }

    private Future<ProviderSettings> put(ProjectId project, Provider provider, Wish wish) {
        return changes.make(project, transaction -> store.put(transaction, project, provider, wish, clock.instant()))
                .map(found -> found.orElseThrow(() -> wish.clientSecret() == null
                        ? Refusal.invalid(List.of(new Violation("clientSecret", "is required"))) // deleted meanwhile
                        : Refusal.notFound("There is no such project.")));
    }
}
