package dev.vestibule.oauth.identity;

import dev.vestibule.access.Caller;
import dev.vestibule.crypto.UnknownMasterSecretException;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.identity.IdentityStore.Kept;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;

/**
 * {@code GET /v1/dashboard/users/:userId/providers/:provider/tokens}: what the provider lets the application do in the
 * user's name, where the project has it kept.
 */
public final class GetProviderTokensHandler implements ApiHandler {
    private final Database database;
    private final IdentityStore store;
    private final SealedTokenStore sealedTokens;

    public GetProviderTokensHandler(Database database, IdentityStore store, SealedTokenStore sealedTokens) {
        this.database = database;
        this.store = store;
        this.sealedTokens = sealedTokens;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        return store.kept(database.writes(), project, user, provider)
                .map(found ->
                        found.filter(kept -> kept.sealedTokens() != null).orElseThrow(GetProviderTokensHandler::none))
                .map(kept -> reply(project, provider, kept));
    }

    private Reply reply(ProjectId project, Provider provider, Kept kept) {
        var sealed = Objects.requireNonNull(kept.sealedTokens());
        try {
            return Reply.ok(Json.parse(sealedTokens.open(project, provider, kept.subject(), sealed)));
        } catch (UnknownMasterSecretException rotatedAway) {
            throw none(); // until the user signs in again
        }
    }

    private static RuntimeException none() {
        return ApiException.notFound("No tokens of this provider are kept for this user.");
    }
}
