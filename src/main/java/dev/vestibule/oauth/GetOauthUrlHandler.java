package dev.vestibule.oauth;

import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.AuthorizationParameters.RequestContext;
import dev.vestibule.oauth.OauthState.Beginning;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.provider.EnabledProviders;
import dev.vestibule.oauth.provider.OauthFlow;
import dev.vestibule.session.Device;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;

/** {@code GET /v1/auth/oauth/:provider/url}: where to send a browser to sign in with a provider, or to link it. */
public final class GetOauthUrlHandler implements ApiHandler {
    private record Response(URI url, String state, OauthFlow flowMode) {}

    private final Database database;
    private final EnabledProviders providers;
    private final AuthorizationStart authorizations;
    private final RedirectUrl ownRedirect;
    private final BrowserNetworks networks;
    private final DeviceReader devices;
    private final Clock clock;

    GetOauthUrlHandler(
            Database database,
            EnabledProviders providers,
            AuthorizationStart authorizations,
            RedirectUrl ownRedirect,
            BrowserNetworks networks,
            DeviceReader devices,
            Clock clock) {
        this.database = database;
        this.providers = providers;
        this.authorizations = authorizations;
        this.ownRedirect = ownRedirect;
        this.networks = networks;
        this.devices = devices;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var rules = new RedirectRules(project, ownRedirect);
        return context(ctx)
                .map(context ->
                        Fields.read(Query.of(ctx), fields -> AuthorizationParameters.read(fields, rules, context)))
                .compose(parameters -> authorizations
                        .start(project, parameters.state())
                        .map(authorization -> Reply.ok(
                                new Response(authorization.url(), authorization.state(), parameters.flowMode()))));
    }

    private Future<RequestContext> context(RoutingContext ctx) {
        var provider = Provider.find(ctx.pathParam("provider")).orElseThrow(ProviderSignIn::notEnabled);
        var user = Caller.userIfAny(ctx).map(SignedIn::user).map(User::id);
        return providers
                .of(database.reads(), Caller.project(ctx).id())
                .map(enabled -> Optional.ofNullable(enabled.get(provider)).orElseThrow(ProviderSignIn::notEnabled))
                .map(defaultFlow -> new RequestContext(
                        provider, defaultFlow, user.orElse(null), Caller.hasUnverifiedToken(ctx), beginning(ctx)));
    }

    /** A server is in another network than its users' browsers, and must match the state to its browser. */
    private Beginning beginning(RoutingContext ctx) {
        return Caller.isServer(ctx)
                ? new Beginning(null, clock.instant(), new Device(null, null, null))
                : new Beginning(networks.of(ctx.request()), clock.instant(), devices.read(ctx));
    }
}
