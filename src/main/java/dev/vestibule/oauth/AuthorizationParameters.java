package dev.vestibule.oauth;

import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.Fields;
import dev.vestibule.oauth.OauthState.Flow;
import dev.vestibule.oauth.catalogue.Provider;
import dev.vestibule.oauth.provider.OauthFlow;
import dev.vestibule.user.UserId;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** Reads how a sign in with a provider is to go, and holds it to what the project allows. */
record AuthorizationParameters(OauthState state, OauthFlow flowMode) {
    /** What is known besides the parameters: the project's usual flow, and who asks from where. */
    record RequestContext(
            Provider provider,
            OauthFlow usual,
            @Nullable UserId user,
            @Nullable Buffer from) {}

    static AuthorizationParameters read(Fields fields, RedirectRules rules, RequestContext asked) {
        var returnTo = fields.optional("returnTo", rules::returnTo);
        var flowMode = flowMode(fields.optional("flow", AuthorizationParameters::flow), asked.usual(), returnTo);
        var redirectUri = redirectUri(fields, rules);
        var challenge = fields.optional("codeChallenge", Pkce::challenge);
        fields.optional("codeChallengeMethod", Pkce::method);
        var isOurs = redirectUri != null && rules.isOwn(redirectUri);
        if (isOurs && challenge != null) {
            fields.reject("codeChallenge", "is for pages that take the code themselves");
        }
        if (isOurs && asked.user() != null) {
            fields.reject("redirectUri", "must be a page of the application, which then links the provider");
        }
        var goesBack = isOurs && flowMode == OauthFlow.REDIRECT;
        var state = new OauthState(
                asked.provider(),
                redirectUri == null ? "" : redirectUri.text(),
                isOurs ? goesBack ? Flow.REDIRECT : Flow.POPUP : Flow.CLIENT,
                goesBack ? returnTo(fields, rules, returnTo) : null,
                challenge,
                asked.from(),
                asked.user());
        return new AuthorizationParameters(state, flowMode);
    }

    private static @Nullable RedirectUrl redirectUri(Fields fields, RedirectRules rules) {
        if (fields.has("redirectUri")) {
            return fields.optional("redirectUri", rules::redirectUri);
        }
        var callbackUrl = rules.callbackUrl();
        if (callbackUrl.isEmpty()) {
            fields.reject("redirectUri", "is required where the project has no usable callbackUrl");
        }
        return callbackUrl.orElse(null);
    }

    private static @Nullable String returnTo(Fields fields, RedirectRules rules, @Nullable RedirectUrl given) {
        if (given != null || fields.has("returnTo")) {
            return given == null ? null : given.text();
        }
        var callbackUrl = rules.callbackUrl();
        if (callbackUrl.isEmpty()) {
            fields.reject("returnTo", "is required where the project has no usable callbackUrl");
        }
        return callbackUrl.map(RedirectUrl::text).orElse(null);
    }

    /** A field rule. */
    private static OauthFlow flow(String text) {
        return switch (text) {
            case "popup" -> OauthFlow.POPUP;
            case "redirect" -> OauthFlow.REDIRECT;
            default -> throw new InvalidValueException("must be popup or redirect");
        };
    }

    /** As asked for, else as the project has it, else by whether there is somewhere to return to. */
    private static OauthFlow flowMode(@Nullable OauthFlow asked, OauthFlow usual, @Nullable RedirectUrl returnTo) {
        if (asked != null) {
            return asked;
        }
        if (usual != OauthFlow.AUTO) {
            return usual;
        }
        return returnTo == null ? OauthFlow.POPUP : OauthFlow.REDIRECT;
    }
}
