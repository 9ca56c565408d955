package dev.vestibule.oauth;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.OauthFields.CallbackRequest;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/oauth/callback}: exchanges the code that a page of the application received, and opens a session. */
public final class OauthCallbackHandler implements ApiHandler {
    private record Request(Provider provider, CallbackRequest callback) {}

    private final Database database;
    private final CallbackValidator validator;
    private final ProviderSignIn signIn;
    private final TokenIssuer tokens;
    private final DeviceReader devices;

    OauthCallbackHandler(
            Database database,
            CallbackValidator validator,
            ProviderSignIn signIn,
            TokenIssuer tokens,
            DeviceReader devices) {
        this.database = database;
        this.validator = validator;
        this.signIn = signIn;
        this.tokens = tokens;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var variant = Caller.variant(ctx);
        var device = devices.read(ctx);
        var language = RequestLanguage.of(ctx);
        var request = Fields.read(
                Body.of(ctx),
                fields ->
                        new Request(fields.required("provider", OauthFields::provider), CallbackRequest.read(fields)));
        return validator
                .take(project.id(), request.provider(), null, request.callback())
                .compose(response -> signIn.run(project, response, device, language))
                .compose(result -> tokens.open(database.reads(), project, variant, ProviderSignIn.completed(result)))
                .map(Reply::ok);
    }
}
