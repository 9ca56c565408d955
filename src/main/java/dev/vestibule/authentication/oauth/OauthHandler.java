package dev.vestibule.authentication.oauth;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.authentication.oauth.AuthorizationParameters.RequestContext;
import dev.vestibule.authentication.oauth.NativeSignIn.NativeToken;
import dev.vestibule.authentication.oauth.OauthFields.CallbackRequest;
import dev.vestibule.authentication.oauth.OauthState.SignInOrigin;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.client.AuthorizationRequest.Prompt;
import dev.vestibule.oauth.provider.OauthFlow;
import dev.vestibule.session.Device;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.DomainConnection;
import dev.vestibule.user.DomainConnections;
import dev.vestibule.user.User;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Sign ins with a provider that applications begin and finish, {@code /v1/auth/oauth}. */
public final class OauthHandler {
    private final Database database;
    private final AuthorizationStart authorizations;
    private final DomainConnections connections;
    private final ClientHandledSignIn signIn;
    private final NativeSignIn nativeSignIn;
    private final TokenIssuer tokens;
    private final BrowserNetworks networks;
    private final RedirectUrl ownRedirect;

    OauthHandler(
            Database database,
            AuthorizationStart authorizations,
            DomainConnections connections,
            ClientHandledSignIn signIn,
            NativeSignIn nativeSignIn,
            TokenIssuer tokens,
            BrowserNetworks networks,
            RedirectUrl ownRedirect) {
        this.database = database;
        this.authorizations = authorizations;
        this.connections = connections;
        this.signIn = signIn;
        this.nativeSignIn = nativeSignIn;
        this.tokens = tokens;
        this.networks = networks;
        this.ownRedirect = ownRedirect;
    }

    private record UrlResponse(URI url, String state, OauthFlow flowMode) {}

    /** {@code GET /v1/auth/oauth/:provider/url}: where to send a browser to sign in with a provider, or to link it. */
    public Future<Reply> url(ApiRequest request) {
        var project = request.project();
        var rules = new RedirectRules(project, ownRedirect);
        return context(request)
                .map(context -> Fields.read(
                        request.queryFields(), fields -> AuthorizationParameters.read(fields, rules, context)))
                .compose(parameters -> authorizations
                        .start(project, parameters.state(), new Prompt(parameters.loginHint(), false))
                        .map(authorization -> Reply.ok(
                                new UrlResponse(authorization.url(), authorization.state(), parameters.flowMode()))));
    }

    private Future<RequestContext> context(ApiRequest request) {
        var provider = Provider.find(request.pathParam("provider")).orElseThrow(ProviderSignIn::notEnabled);
        var user = request.userIfAny().map(SignedIn::user).map(User::id);
        return authorizations
                .flow(request.project(), provider)
                .map(defaultFlow -> provider.isConnection()
                        // it only signs in: users do not link it themselves
                        ? new RequestContext(provider, defaultFlow, null, false, beginning(request))
                        : new RequestContext(
                                provider,
                                defaultFlow,
                                user.orElse(null),
                                request.hasUnverifiedToken(),
                                beginning(request)));
    }

    private record Connection(String provider, String name, boolean required) {
        static Connection of(DomainConnection found) {
            return new Connection(found.provider(), found.name(), found.isRequired());
        }
    }

    @JsonInclude(JsonInclude.Include.ALWAYS)
    private record ConnectionResponse(@Nullable Connection connection) {}

    /**
     * {@code POST /v1/auth/oauth/connection}: the connection that signs in people with an email of this domain. It says
     * nothing about the account.
     */
    public Future<Reply> connection(ApiRequest request) {
        var email = request.fields(fields -> fields.required("email", UserFields::email));
        return connections
                .find(database.reads(), request.project().id(), email)
                .map(found -> Reply.ok(
                        new ConnectionResponse(found.map(Connection::of).orElse(null))));
    }

    /** A server is in a different network from its users' browsers, and must match the state to its browser itself. */
    private SignInOrigin beginning(ApiRequest request) {
        return request.isServer()
                ? authorizations.beginning(null, new Device(null, null, null))
                : authorizations.beginning(networks.of(request.http()), request.device());
    }

    private record Callback(Provider provider, CallbackRequest request) {}

    /**
     * {@code POST /v1/auth/oauth/callback}: exchanges the code that a page of the application received, and opens a
     * session.
     */
    public Future<Reply> callback(ApiRequest request) {
        var device = request.device();
        var language = request.language();
        var callback = request.fields(fields ->
                new Callback(fields.required("provider", OauthFields::provider), CallbackRequest.read(fields)));
        return open(request, signIn.run(request.project(), callback.provider(), callback.request(), device, language));
    }

    /** {@code POST /v1/auth/oauth/native}: accepts the ID token of a device's own sign in, and opens a session. */
    public Future<Reply> nativeSignIn(ApiRequest request) {
        var token = request.fields(fields -> new NativeToken(
                fields.required("provider", OauthFields::provider),
                fields.required("identity_token", OauthFields.ID_TOKEN),
                fields.optional("nonce", OauthFields::nonce)));
        return open(request, nativeSignIn.run(request.project(), token, request.device(), request.language()));
    }

    /** Clients of these sign ins read tokens or an error, and nothing else. */
    private Future<Reply> open(ApiRequest request, Future<SignInResult> signIn) {
        var project = request.project();
        var variant = request.variant();
        return signIn.compose(
                        result -> tokens.open(database.reads(), project, variant, ProviderSignIn.completed(result)))
                .map(Reply::ok);
    }
}
