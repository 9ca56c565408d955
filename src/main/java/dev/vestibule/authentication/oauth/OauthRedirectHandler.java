package dev.vestibule.authentication.oauth;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.oauth.SignInConsent.Decision;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.provider.ReturnAddress;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Sign ins with a provider for which this server receives the code. */
public final class OauthRedirectHandler {
    /** The last part of the path of {@link #consent}. */
    private static final String DECISIONS = "consent";

    private final ServerHandledSignIn signIn;
    private final SignInConsent consent;
    private final SignInPolling polling;
    private final ProviderTrials trials;
    private final OauthPages pages;
    private final BrowserNetworks networks;
    private final RedirectUrl ownRedirect;

    OauthRedirectHandler(
            ServerHandledSignIn signIn,
            SignInConsent consent,
            SignInPolling polling,
            ProviderTrials trials,
            OauthPages pages,
            BrowserNetworks networks,
            RedirectUrl ownRedirect) {
        this.signIn = signIn;
        this.consent = consent;
        this.polling = polling;
        this.trials = trials;
        this.pages = pages;
        this.networks = networks;
        this.ownRedirect = ownRedirect;
    }

    /**
     * {@code GET /v1/auth/oauth/redirect}, and {@code GET /v1/auth/oauth/redirect/:ownerId} for providers whose issuer
     * a project or an organization has chosen: where providers send browsers back to. A HEAD request does not use up
     * the state, and neither does a request that no person sees, from a frame, an image or a script.
     */
    public Future<Reply> redirect(ApiRequest request) {
        var destination = request.header("Sec-Fetch-Dest");
        var isSeen = destination == null || destination.equals("document");
        return isSeen && !request.http().method().equals(HttpMethod.HEAD)
                ? receive(request, request.queryParams())
                : Future.succeededFuture(pages.unknown(callback(request, request.queryParams())));
    }

    /**
     * {@code POST} to the same: the redirect for providers that respond with a form (OAuth 2.0 Form Post Response
     * Mode), as Apple does.
     */
    public Future<Reply> postedRedirect(ApiRequest request) {
        return receive(request, request.form());
    }

    private Future<Reply> receive(ApiRequest request, MultiMap parameters) {
        var callback = callback(request, parameters);
        return callback.trial().isPresent()
                ? trials.receive(callback.trial().get(), callback)
                : signIn.receive(callback);
    }

    /** No sign in returns to an address that no provider has. */
    private String address(@Nullable String owner) {
        return owner == null
                ? ownRedirect.text()
                : ReturnAddress.find(ownRedirect.text(), owner).orElse("");
    }

    private AuthorizationCallback callback(ApiRequest request, MultiMap parameters) {
        var owner = request.pathParam("ownerId");
        return AuthorizationCallback.of(
                address(owner),
                owner == null ? DECISIONS : "../" + DECISIONS,
                parameters,
                networks.of(request.http()),
                request.device(),
                request.header(HttpHeaders.ACCEPT_LANGUAGE));
    }

    /**
     * {@code POST /v1/auth/oauth/consent}: what a person has decided about a sign in on our page. Only that page knows
     * the required token; a form on a page of another origin is refused in any case.
     */
    public Future<Reply> consent(ApiRequest request) {
        requireOwnPage(request.http());
        var form = request.form();
        return consent.decide(new Decision(
                callback(request, form),
                OauthFields.parameter(form, OauthFields.CONSENT).orElse(""),
                OauthFields.parameter(form, "decision").filter("allow"::equals).isPresent()));
    }

    private void requireOwnPage(HttpServerRequest input) {
        var origin = input.getHeader(HttpHeaders.ORIGIN);
        var site = input.getHeader("Sec-Fetch-Site");
        if ((origin != null && !origin.equals(ownRedirect.origin())) || (site != null && !site.equals("same-origin"))) {
            throw ApiException.of(ErrorCode.STALE_FORM, "Only the page that asked can send this form.");
        }
    }

    /**
     * {@code GET /v1/auth/oauth/poll}: the status of such a sign in, and once its tokens. HEAD does not use them up.
     */
    public Future<Reply> poll(ApiRequest request) {
        var state = Fields.read(request.queryFields(), fields -> fields.required("state", OauthFields.STATE));
        var mayFetch = !request.http().method().equals(HttpMethod.HEAD);
        return polling.poll(request.project(), state, mayFetch).map(Reply::ok);
    }
}
