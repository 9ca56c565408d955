package dev.vestibule.authentication.oauth;

import dev.vestibule.crypto.MasterKeys;

/** What this server derives from the master secret for a sign in with a provider. */
record OauthSecrets(Pkce pkce, ConsentTokens consents, PageResponses pageResponses) {
    static OauthSecrets of(MasterKeys masterKeys) {
        return new OauthSecrets(new Pkce(masterKeys), new ConsentTokens(masterKeys), new PageResponses(masterKeys));
    }
}
