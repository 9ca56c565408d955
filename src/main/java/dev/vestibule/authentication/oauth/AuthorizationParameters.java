package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.OauthState.Flow;
import dev.vestibule.authentication.oauth.OauthState.SignInOrigin;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.provider.OauthFlow;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.UserId;
import org.jspecify.annotations.Nullable;

/** The parameters of a sign in with a provider, checked against what the project allows. */
record AuthorizationParameters(
        OauthState state, OauthFlow flowMode, @Nullable String loginHint) {
    /**
     * The context of the request: the project's default flow, the signed-in user, whether there is a token that does
     * not prove who that is, and where the client is.
     */
    record RequestContext(
            Provider provider,
            OauthFlow defaultFlow,
            @Nullable UserId user,
            boolean hasUnverifiedToken,
            SignInOrigin beginning) {}

    static AuthorizationParameters read(Fields fields, RedirectRules rules, RequestContext context) {
        var returnTo = fields.optional("returnTo", rules::returnTo);
        var flowMode = flowMode(fields.optional("flow", OauthFlow::of), context.defaultFlow(), returnTo);
        var redirectUri = redirectUri(fields, rules);
        var challenge = fields.optional("codeChallenge", Pkce::challenge);
        fields.optional("codeChallengeMethod", Pkce::method);
        var loginHint = fields.optional("loginHint", UserFields::email);
        var isServerHandled = redirectUri != null && rules.isOwn(redirectUri);
        if (isServerHandled && challenge != null) {
            fields.reject("codeChallenge", "is only for applications that take the code themselves");
        }
        if (!isServerHandled && context.hasUnverifiedToken()) {
            // The page that gets the code links the provider to this user; without one it would create another account.
            throw ApiException.of(ErrorCode.INVALID_ACCESS_TOKEN, "The access token is invalid, expired or revoked.");
        }
        var isRedirect = isServerHandled && flowMode == OauthFlow.REDIRECT;
        var state = new OauthState(
                context.provider(),
                redirectUri == null ? "" : redirectUri.text(),
                isServerHandled ? isRedirect ? Flow.REDIRECT : Flow.POPUP : Flow.CLIENT,
                isRedirect && returnTo != null ? returnTo.text() : null,
                challenge,
                context.beginning(),
                isServerHandled ? null : context.user());
        return new AuthorizationParameters(state, flowMode, loginHint);
    }

    private static @Nullable RedirectUrl redirectUri(Fields fields, RedirectRules rules) {
        if (fields.has("redirectUri")) {
            return fields.optional("redirectUri", rules::redirectUri);
        }
        var callbackUrl = rules.callbackUrl();
        if (callbackUrl.isEmpty()) {
            fields.reject("redirectUri", "is required, because the project has no usable callbackUrl");
        }
        return callbackUrl.orElse(null);
    }

    /**
     * The requested flow, else the project's default; {@code auto} redirects if there is a page to return to. Only an
     * app that polls requests a redirect without one.
     */
    private static OauthFlow flowMode(
            @Nullable OauthFlow requested, OauthFlow defaultFlow, @Nullable RedirectUrl returnTo) {
        if (requested != null && requested != OauthFlow.AUTO) {
            return requested;
        }
        if (defaultFlow != OauthFlow.AUTO) {
            return defaultFlow;
        }
        return returnTo == null ? OauthFlow.POPUP : OauthFlow.REDIRECT;
    }
}
