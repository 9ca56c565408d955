package dev.vestibule.page.hosted;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Text;
import dev.vestibule.oauth.Pkce;
import dev.vestibule.oauth.RedirectUrl;
import dev.vestibule.page.hosted.HostedCodes.Redemption;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /v1/auth/hosted/callback}: the tokens for the code with which a browser has returned from the page. */
public final class HostedCallbackHandler implements ApiHandler {
    private static final int MAX_CODE = 256;

    private final Database database;
    private final HostedCodes codes;
    private final Auditor audit;

    HostedCallbackHandler(Database database, HostedCodes codes, Auditor audit) {
        this.database = database;
        this.codes = codes;
        this.audit = audit;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return codes.redeem(database, Fields.read(Body.of(ctx), fields -> redemption(ctx, fields)), () -> audit.of(ctx))
                .map(Reply::ok);
    }

    private static Redemption redemption(RoutingContext ctx, Fields fields) {
        return new Redemption(
                Caller.project(ctx),
                Caller.isServer(ctx),
                fields.required("code", text -> Text.line(text, MAX_CODE)),
                fields.optional("codeVerifier", Pkce::verifier),
                fields.optional("redirectUri", text -> RedirectUrl.of(text).text()));
    }
}
