package dev.vestibule.authentication.oauth;

import dev.vestibule.oauth.provider.ProviderHandler;

/** The handlers that sign in with providers and set them up; one instance for each event loop. */
public record OauthHandlers(
        PageSignIn onPages,
        OauthHandler signIns,
        OauthRedirectHandler redirects,
        LinkedProviderHandler linked,
        ProviderHandler providers,
        ProviderTrialHandler trials) {}
