package dev.vestibule.oauth;

import dev.vestibule.error.ApiException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.SignInConsent.Decision;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code POST /v1/auth/oauth/consent}: what a person has decided on our page about a sign in. Only that page knows the
 * token that is needed; a form on a page of another origin is refused even so.
 */
public final class OauthConsentHandler implements ApiHandler {
    private final SignInConsent consent;
    private final OauthRedirectHandler redirect;
    private final String ownOrigin;

    OauthConsentHandler(SignInConsent consent, OauthRedirectHandler redirect, RedirectUrl ownRedirect) {
        this.consent = consent;
        this.redirect = redirect;
        this.ownOrigin = ownRedirect.origin();
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        requireOwnPage(ctx.request());
        var form = Form.of(ctx);
        return consent.decide(new Decision(
                redirect.callback(ctx, form),
                OauthFields.parameter(form, OauthFields.CONSENT).orElse(""),
                OauthFields.parameter(form, "decision").filter("allow"::equals).isPresent()));
    }

    private void requireOwnPage(HttpServerRequest request) {
        var origin = request.getHeader(HttpHeaders.ORIGIN);
        var site = request.getHeader("Sec-Fetch-Site");
        if ((origin != null && !origin.equals(ownOrigin)) || (site != null && !site.equals("same-origin"))) {
            throw ApiException.forbidden("Only the page that asked can send this form.");
        }
    }
}
