package dev.vestibule.oauth.identity;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.crypto.UnknownMasterSecretException;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.identity.IdentityStore.StoredTokens;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Objects;

/**
 * {@code GET /v1/dashboard/users/:userId/providers/:provider/tokens}: the tokens with which the application can
 * act for the user at the provider, if the project stores them.
 */
public final class GetProviderTokensHandler implements ApiHandler {
    private final Database database;
    private final IdentityStore store;
    private final SealedTokenStore sealedTokens;
    private final Auditor audit;

    public GetProviderTokensHandler(
            Database database, IdentityStore store, SealedTokenStore sealedTokens, Auditor audit) {
        this.database = database;
        this.store = store;
        this.sealedTokens = sealedTokens;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> store.findTokens(transaction, project, user, provider)
                .map(found -> found.filter(stored -> stored.sealedTokens() != null)
                        .orElseThrow(GetProviderTokensHandler::notStored))
                .map(stored -> reply(project, provider, stored))
                .compose(reply -> trail.record(
                                transaction,
                                AuditEvent.USER_PROVIDER_TOKENS_READ,
                                Target.user(user.value()),
                                Map.of("provider", provider.name()))
                        .map(reply)));
    }

    private Reply reply(ProjectId project, Provider provider, StoredTokens stored) {
        var sealed = Objects.requireNonNull(stored.sealedTokens());
        try {
            return Reply.ok(Json.parse(sealedTokens.open(project, provider, stored.subject(), sealed)));
        } catch (UnknownMasterSecretException removed) {
            throw notStored(); // new ones are stored when the user signs in again
        }
    }

    private static RuntimeException notStored() {
        return ApiException.notFound("No tokens of this provider are stored for this user.");
    }
}
