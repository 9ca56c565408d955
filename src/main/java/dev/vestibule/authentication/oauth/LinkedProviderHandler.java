package dev.vestibule.authentication.oauth;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.Target;
import dev.vestibule.authentication.oauth.OauthFields.CallbackRequest;
import dev.vestibule.crypto.UnknownMasterSecretException;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Body;
import dev.vestibule.http.PathId;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.identity.IdentityStore;
import dev.vestibule.oauth.identity.IdentityStore.Link;
import dev.vestibule.oauth.identity.IdentityStore.StoredTokens;
import dev.vestibule.oauth.identity.SealedTokenStore;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The providers that a user is linked to, {@code /v1/auth/me/providers}, and their tokens. */
public final class LinkedProviderHandler {
    private final Database database;
    private final IdentityStore store = new IdentityStore();
    private final SealedTokenStore sealedTokens;
    private final ClientHandledSignIn signIn;
    private final ProviderLinks links;
    private final RecentSignIn recent;
    private final DeviceReader devices;
    private final Auditor audit;

    public LinkedProviderHandler(
            Database database,
            SealedTokenStore sealedTokens,
            ClientHandledSignIn signIn,
            ProviderLinks links,
            RecentSignIn recent,
            DeviceReader devices,
            Auditor audit) {
        this.database = database;
        this.sealedTokens = sealedTokens;
        this.signIn = signIn;
        this.links = links;
        this.recent = recent;
        this.devices = devices;
        this.audit = audit;
    }

    private record LinkList(List<Link> providers, int total) {}

    /** {@code GET /v1/auth/me/providers}: the providers that the signed-in user can sign in with. */
    public Future<Reply> list(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = Caller.user(ctx).user().id();
        return store.ofUser(database.reads(), project, user).map(found -> Reply.ok(new LinkList(found, found.size())));
    }

    /**
     * {@code POST /v1/auth/me/providers/:provider}: links a provider to the signed-in user. The state names
     * the user who started this, so no user can be tricked into linking the identity of another person.
     */
    public Future<Reply> link(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var caller = Caller.user(ctx);
        recent.require(caller); // before the state is used up, so that the same code still links after that
        var user = caller.user().id();
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        var device = devices.read(ctx);
        var language = RequestLanguage.of(ctx);
        return signIn.identify(project, provider, user, Fields.read(Body.of(ctx), CallbackRequest::read), device)
                .compose(login -> links.link(login, user, caller.token().session(), language))
                .map(linked -> Reply.success());
    }

    /** {@code DELETE /v1/auth/me/providers/:provider}: unlinks a provider from the signed-in user. */
    public Future<Reply> unlink(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var caller = Caller.user(ctx);
        recent.require(caller);
        var user = caller.user().id();
        return links.unlink(
                        audit.of(ctx),
                        project,
                        user,
                        Provider.fromPath(ctx.pathParam("provider")),
                        devices.read(ctx),
                        RequestLanguage.of(ctx))
                .map(unlinked -> Reply.success());
    }

    /**
     * {@code GET /v1/dashboard/users/:userId/providers/:provider/tokens}: the tokens with which the application can
     * act for the user at the provider, if the project stores them.
     */
    public Future<Reply> tokens(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var user = new UserId(PathId.of(ctx, "userId"));
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        var trail = audit.of(ctx);
        return database.inTransaction(transaction -> store.findTokens(transaction, project, user, provider)
                .map(found -> found.filter(stored -> stored.sealedTokens() != null)
                        .orElseThrow(LinkedProviderHandler::notStored))
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
