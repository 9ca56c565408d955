package dev.vestibule.oauth;

import dev.vestibule.oauth.identity.GetProviderTokensHandler;
import dev.vestibule.oauth.identity.LinkProviderHandler;
import dev.vestibule.oauth.identity.ListLinkedProvidersHandler;
import dev.vestibule.oauth.identity.UnlinkProviderHandler;
import dev.vestibule.oauth.provider.ListProviderSettingsHandler;
import dev.vestibule.oauth.provider.ListProvidersHandler;

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
