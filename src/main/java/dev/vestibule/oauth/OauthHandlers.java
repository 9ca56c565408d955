package dev.vestibule.oauth;

import dev.vestibule.oauth.identity.LinkedProviderHandler;
import dev.vestibule.oauth.provider.ProviderHandler;

/** What signs in with providers and sets them up; one instance for each event loop. */
public record OauthHandlers(
        PageSignIn onPages,
        GetOauthUrlHandler url,
        OauthCallbackHandler callback,
        NativeOauthHandler nativeSignIn,
        OauthRedirectHandler redirect,
        PostOauthRedirectHandler postedRedirect,
        OauthConsentHandler consent,
        PollOauthHandler poll,
        LinkedProviderHandler linked,
        ProviderHandler providers,
        TryProviderHandler tryOut,
        GetProviderTrialHandler trial) {}
