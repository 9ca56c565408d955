package dev.vestibule.oauth;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.NativeSignIn.NativeToken;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/oauth/native}: exchanges the ID token of a device's own sign in, and opens a session. */
public final class NativeOauthHandler implements ApiHandler {
    private final Database database;
    private final NativeSignIn signIn;
    private final TokenIssuer tokens;
    private final DeviceReader devices;

    NativeOauthHandler(Database database, NativeSignIn signIn, TokenIssuer tokens, DeviceReader devices) {
        this.database = database;
        this.signIn = signIn;
        this.tokens = tokens;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var variant = Caller.variant(ctx);
        var token = Fields.read(
                Body.of(ctx),
                fields -> new NativeToken(
                        fields.required("provider", OauthFields::provider),
                        fields.required("identity_token", OauthFields.ID_TOKEN),
                        fields.optional("nonce", OauthFields::nonce)));
        return signIn.run(project, token, devices.read(ctx), RequestLanguage.of(ctx))
                .compose(result -> tokens.open(database.reads(), project, variant, ProviderSignIn.completed(result)))
                .map(Reply::ok);
    }
}
