package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.authentication.passkey.PasskeyHandler;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.limits.Quota;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code POST /p/:slug/passkey-challenge}: a challenge as JSON, for the page's script. The API's own route would refuse the
 * page's origin where it is not one of the application's.
 */
public final class BeginHostedPasskeyHandler implements ApiHandler {
    private final HostedVisitHandler visits;
    private final PageVisitors visitors;
    private final PasskeyHandler passkeys;

    BeginHostedPasskeyHandler(HostedVisitHandler visits, PageVisitors visitors, PasskeyHandler passkeys) {
        this.visits = visits;
        this.visitors = visitors;
        this.passkeys = passkeys;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var entered = Form.of(ctx);
        return visits.admit(ctx, entered.get("request"), visit -> {
            if (!visits.isOurForm(ctx, visit, entered.get("formToken"))) {
                throw ApiException.forbidden("This form was too old, or is not of this page.");
            }
            visitors.count(ctx, Quota.OAUTH);
            Body.replace(ctx, JsonNodeFactory.instance.objectNode());
            return passkeys.beginSignIn(ctx);
        });
    }
}
