package dev.vestibule.authentication.oauth;

import dev.vestibule.access.Caller;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.oauth.AuthorizationParameters.RequestContext;
import dev.vestibule.authentication.oauth.NativeSignIn.NativeToken;
import dev.vestibule.authentication.oauth.OauthFields.CallbackRequest;
import dev.vestibule.authentication.oauth.OauthState.SignInOrigin;
import dev.vestibule.database.Database;
import dev.vestibule.http.Body;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.provider.OauthFlow;
import dev.vestibule.session.Device;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.Optional;

/** Sign ins with a provider that applications begin and finish, {@code /v1/auth/oauth}. */
public final class OauthHandler {
    private final Database database;
    private final AuthorizationStart authorizations;
    private final ClientHandledSignIn signIn;
    private final NativeSignIn nativeSignIn;
    private final TokenIssuer tokens;
    private final BrowserNetworks networks;
    private final DeviceReader devices;
    private final RedirectUrl ownRedirect;

    OauthHandler(
            Database database,
            AuthorizationStart authorizations,
            ClientHandledSignIn signIn,
            NativeSignIn nativeSignIn,
            TokenIssuer tokens,
            BrowserNetworks networks,
            DeviceReader devices,
            RedirectUrl ownRedirect) {
        this.database = database;
        this.authorizations = authorizations;
        this.signIn = signIn;
        this.nativeSignIn = nativeSignIn;
        this.tokens = tokens;
        this.networks = networks;
        this.devices = devices;
        this.ownRedirect = ownRedirect;
    }

    private record UrlResponse(URI url, String state, OauthFlow flowMode) {}

    /** {@code GET /v1/auth/oauth/:provider/url}: where to send a browser to sign in with a provider, or to link it. */
    public Future<Reply> url(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var rules = new RedirectRules(project, ownRedirect);
        return context(ctx)
                .map(context ->
                        Fields.read(Query.of(ctx), fields -> AuthorizationParameters.read(fields, rules, context)))
                .compose(parameters -> authorizations
                        .start(project, parameters.state())
                        .map(authorization -> Reply.ok(
                                new UrlResponse(authorization.url(), authorization.state(), parameters.flowMode()))));
    }

    private Future<RequestContext> context(RoutingContext ctx) {
        var provider = Provider.find(ctx.pathParam("provider")).orElseThrow(ProviderSignIn::notEnabled);
        var user = Caller.userIfAny(ctx).map(SignedIn::user).map(User::id);
        return authorizations
                .enabled(Caller.project(ctx))
                .map(enabled -> Optional.ofNullable(enabled.get(provider)).orElseThrow(ProviderSignIn::notEnabled))
                .map(defaultFlow -> new RequestContext(
                        provider, defaultFlow, user.orElse(null), Caller.hasUnverifiedToken(ctx), beginning(ctx)));
    }

    /** A server is in a different network from its users' browsers, and must match the state to its browser itself. */
    private SignInOrigin beginning(RoutingContext ctx) {
        return Caller.isServer(ctx)
                ? authorizations.beginning(null, new Device(null, null, null))
                : authorizations.beginning(networks.of(ctx.request()), devices.read(ctx));
    }

    private record Callback(Provider provider, CallbackRequest request) {}

    /** {@code POST /v1/auth/oauth/callback}: exchanges the code that a page of the application received, and opens a session. */
    public Future<Reply> callback(RoutingContext ctx) {
        var device = devices.read(ctx);
        var language = RequestLanguage.of(ctx);
        var callback = Fields.read(
                Body.of(ctx),
                fields ->
                        new Callback(fields.required("provider", OauthFields::provider), CallbackRequest.read(fields)));
        return open(ctx, signIn.run(Caller.project(ctx), callback.provider(), callback.request(), device, language));
    }

    /** {@code POST /v1/auth/oauth/native}: accepts the ID token of a device's own sign in, and opens a session. */
    public Future<Reply> nativeSignIn(RoutingContext ctx) {
        var token = Fields.read(
                Body.of(ctx),
                fields -> new NativeToken(
                        fields.required("provider", OauthFields::provider),
                        fields.required("identity_token", OauthFields.ID_TOKEN),
                        fields.optional("nonce", OauthFields::nonce)));
        return open(ctx, nativeSignIn.run(Caller.project(ctx), token, devices.read(ctx), RequestLanguage.of(ctx)));
    }

    /** Clients of these sign ins read tokens or an error, and nothing else. */
    private Future<Reply> open(RoutingContext ctx, Future<SignInResult> signIn) {
        var project = Caller.project(ctx);
        var variant = Caller.variant(ctx);
        return signIn.compose(
                        result -> tokens.open(database.reads(), project, variant, ProviderSignIn.completed(result)))
                .map(Reply::ok);
    }
}
