package dev.vestibule.oauth;

/** The operations of signing in with providers, for one event loop. */
public record OauthHandlers(
        ListProvidersHandler list,
        ListProviderSettingsHandler settings,
        GetOauthUrlHandler url,
        OauthCallbackHandler callback,
        OauthRedirectHandler redirect,
        PostOauthRedirectHandler postedRedirect,
        PollOauthHandler poll,
        ListLinkedProvidersHandler linked,
        LinkProviderHandler link,
        UnlinkProviderHandler unlink,
        GetProviderTokensHandler tokens) {}
