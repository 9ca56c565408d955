package dev.vestibule.oauth;

import dev.vestibule.oauth.identity.GetProviderTokensHandler;
import dev.vestibule.oauth.identity.LinkProviderHandler;
import dev.vestibule.oauth.identity.ListLinkedProvidersHandler;
import dev.vestibule.oauth.identity.UnlinkProviderHandler;
import dev.vestibule.oauth.provider.DeleteProviderHandler;
import dev.vestibule.oauth.provider.ListProviderSettingsHandler;
import dev.vestibule.oauth.provider.ListProvidersHandler;
import dev.vestibule.oauth.provider.SetProviderHandler;

/** What signs in with providers and sets them up; one instance for each event loop. */
public record OauthHandlers(
        PageSignIn onPages,
        ListProvidersHandler listEnabled,
        GetOauthUrlHandler url,
        OauthCallbackHandler callback,
        NativeOauthHandler nativeSignIn,
        OauthRedirectHandler redirect,
        PostOauthRedirectHandler postedRedirect,
        OauthConsentHandler consent,
        PollOauthHandler poll,
        ListLinkedProvidersHandler listLinked,
        LinkProviderHandler link,
        UnlinkProviderHandler unlink,
        GetProviderTokensHandler tokens,
        ListProviderSettingsHandler listSettings,
        SetProviderHandler set,
        DeleteProviderHandler delete,
        TryProviderHandler tryOut,
        GetProviderTrialHandler trial) {}
