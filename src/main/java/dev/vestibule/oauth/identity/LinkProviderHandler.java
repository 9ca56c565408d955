package dev.vestibule.oauth.identity;

import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.CallbackValidator;
import dev.vestibule.oauth.OauthFields.CallbackRequest;
import dev.vestibule.oauth.ProviderSignIn;
import dev.vestibule.oauth.catalogue.Provider;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code POST /v1/auth/me/providers/:provider}: links a provider to the signed-in user. The state names
 * the user who started this, so no user can be tricked into linking the identity of another person.
 */
public final class LinkProviderHandler implements ApiHandler {
    private final CallbackValidator validator;
    private final ProviderSignIn signIn;
    private final ProviderLinks links;
    private final DeviceReader devices;
    private final RecentSignIn recent;

    public LinkProviderHandler(
            CallbackValidator validator,
            ProviderSignIn signIn,
            ProviderLinks links,
            DeviceReader devices,
            RecentSignIn recent) {
        this.validator = validator;
        this.signIn = signIn;
        this.links = links;
        this.devices = devices;
        this.recent = recent;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx);
        var caller = Caller.user(ctx);
        recent.require(caller); // before the state is used up, so that the same code still links after that
        var user = caller.user().id();
        var provider = Provider.fromPath(ctx.pathParam("provider"));
        var device = devices.read(ctx);
        var language = RequestLanguage.of(ctx);
        return validator
                .take(project.id(), provider, user, Fields.read(Body.of(ctx), CallbackRequest::read))
                .compose(response -> signIn.identify(project, response, device))
                .compose(login -> links.link(login, user, caller.token().session(), language))
                .map(linked -> Reply.success());
    }
}
