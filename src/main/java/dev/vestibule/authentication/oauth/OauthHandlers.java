package dev.vestibule.authentication.oauth;

import dev.vestibule.oauth.provider.ProviderHandler;

/** What signs in with providers and sets them up; one instance for each event loop. */
public record OauthHandlers(
        PageSignIn onPages,
        OauthHandler signIns,
        OauthRedirectHandler redirects,
        LinkedProviderHandler linked,
        ProviderHandler providers,
        ProviderTrialHandler trials) {}
