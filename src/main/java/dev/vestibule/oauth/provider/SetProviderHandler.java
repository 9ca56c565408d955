package dev.vestibule.oauth.provider;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.IdentityProviderClient;
import dev.vestibule.oauth.provider.ProviderSettings.SetProviderRequest;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** {@code PUT /v1/dashboard/projects/:projectId/providers/:provider}: creates or replaces the settings of a provider. */
public final class SetProviderHandler implements ApiHandler {
    /** The discovery document is public, and is asked for without one. */
    private static final String NO_SECRET = "";

    private record Response(@JsonUnwrapped ProviderSettings settings, List<String> warnings) {}

    private final Database database;
    private final ProjectChanges changes;
    private final ProviderStore store;
    private final Catalogue catalogue;
    private final IdentityProviderClient client;
    private final boolean allowPrivate;
    private final Auditor audit;
    private final Clock clock;

    public SetProviderHandler(
            Database database,
            ProjectChanges changes,
            ProviderStore store,
            Catalogue catalogue,
            IdentityProviderClient client,
            boolean allowPrivateIssuers,
            Auditor audit,
            Clock clock) {
        this.database = database;
        this.changes = changes;
        this.store = store;
        this.catalogue = catalogue;
        this.client = client;
        this.allowPrivate = allowPrivateIssuers;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        var entry = catalogue.find(provider).orElseThrow(Provider::unknown);
        var rules = new ProviderFields(entry, allowPrivate);
        var body = Body.of(ctx);
        var given = Body.names(body);
        var trail = audit.of(ctx);
        return store.find(database.writes(), project, provider)
                .map(stored -> Fields.readStrictly(body, fields -> rules.read(fields, stored)))
                .compose(request -> put(trail, project, provider, request, given))
                .compose(settings -> warnings(new ProviderConnection(project, entry, settings, NO_SECRET))
                        .map(warnings -> Reply.ok(new Response(settings, warnings))));
    }

    /** The issuer may just be down, so that its settings are stored all the same; but a misspelt one shows here. */
    private Future<List<String>> warnings(ProviderConnection connection) {
        return connection.entry().isIssuerOfProject()
                ? client.problem(connection)
                        .map(found -> found.stream()
                                .map(problem ->
                                        problem + " Until its discovery document can be read, nobody can sign in with "
                                                + connection.issuer() + ".")
                                .toList())
                : Future.succeededFuture(List.of());
    }

    private Future<ProviderSettings> put(
            AuditTrail trail, ProjectId project, Provider provider, SetProviderRequest request, List<String> given) {
        return changes.inTransaction(
                project,
                transaction -> store.put(transaction, project, provider, request, clock.instant())
                        .map(found -> found.orElseThrow(() -> notStored(request)))
                        .compose(stored -> trail.record(
                                        transaction,
                                        AuditEvent.PROVIDER_SET,
                                        Target.project(project.value()),
                                        Map.of("provider", provider.name(), "fields", given))
                                .map(stored)));
    }

    private static ApiException notStored(SetProviderRequest request) {
        return request.clientSecret() == null
                ? ApiException.invalid(
                        List.of(new Violation("clientSecret", "is required"))) // deleted or changed since it was read
                : ApiException.notFound("There is no such project.");
    }
}
