package dev.vestibule.oauth;

import dev.vestibule.config.OauthSettings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.oauth.client.IdentityProviderClient;
import dev.vestibule.oauth.provider.EnabledProviders;
import dev.vestibule.oauth.provider.ProviderStore;
import dev.vestibule.oauth.provider.SealedClientSecretStore;
import dev.vestibule.project.SealedSecrets;
import io.vertx.core.Vertx;
import java.time.Clock;

/** The identity providers that there are, what projects have set up of them, and the client that talks to them. */
public final class ProvidersModule {
    private final OauthSettings settings;
    private final Catalogue catalogue;
    private final Sealer sealer;
    private final ProviderStore store;
    private final EnabledProviders enabled;
    private final IdentityProviderClient client;

    public ProvidersModule(
            Vertx vertx,
            OauthSettings settings,
            Catalogue catalogue,
            MasterKeys masterKeys,
            ChangeFeed feed,
            int cachedProjects,
            Clock clock) {
        this.settings = settings;
        this.catalogue = catalogue;
        this.sealer = new Sealer(masterKeys, "provider secrets");
        this.store = new ProviderStore(sealer, catalogue);
        this.enabled = new EnabledProviders(store, feed, cachedProjects);
        this.client = new IdentityProviderClient(vertx, settings, clock);
    }

    public OauthSettings settings() {
        return settings;
    }

    public Catalogue catalogue() {
        return catalogue;
    }

    public ProviderStore store() {
        return store;
    }

    public EnabledProviders enabled() {
        return enabled;
    }

    public IdentityProviderClient client() {
        return client;
    }

    /** What is to be sealed anew after a change of the master secret. */
    public SealedSecrets sealedSecrets() {
        return new SealedClientSecretStore(sealer);
    }
}
