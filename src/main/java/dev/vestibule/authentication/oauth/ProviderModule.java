package dev.vestibule.authentication.oauth;

import dev.vestibule.access.AccessModule;
import dev.vestibule.access.Floor;
import dev.vestibule.authentication.oauth.ServerHandledSignIn.OauthSecrets;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.oauth.client.IdentityProviderClient;
import dev.vestibule.oauth.provider.EnabledProviders;
import dev.vestibule.oauth.provider.ProviderHandler;
import dev.vestibule.oauth.provider.ProviderStore;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectModule;
import dev.vestibule.project.SealedSecrets;

/** Builds what projects set up for providers and try out, and what a sign in with one needs of that. */
public final class ProviderModule {
    private final Sealer clientSecretSealer;
    final ProjectDirectory projects;
    /** The settings of projects' providers and of organizations' connections. */
    public final ProviderStore store;

    final EnabledProviders enabled;
    final IdentityProviderClient client;
    final OauthSecrets secrets;
    final OauthPages pages = new OauthPages();
    final RedirectUrl ownRedirect;
    final BrowserNetworks networks;
    final ProviderTrials trials;
    public final ProviderHandler operations;

    public ProviderModule(Floor floor, Catalogue catalogue, ProjectModule projects, AccessModule access) {
        var settings = floor.settings();
        this.projects = projects.directory;
        this.clientSecretSealer = clientSecrets(floor.masterKeys());
        this.store = new ProviderStore(clientSecretSealer, catalogue);
        this.enabled = new EnabledProviders(store, floor.feed(), settings.projects());
        this.client = new IdentityProviderClient(floor.vertx(), settings.oauth(), floor.clock());
        this.secrets = OauthSecrets.of(floor.masterKeys());
        this.ownRedirect = RedirectUrl.of(settings.publicUrl() + "/v1/auth/oauth/redirect");
        this.networks = new BrowserNetworks(access.addresses, ownRedirect);
        this.trials = new ProviderTrials(
                floor.database(), projects.directory, store, client, secrets.pkce(), pages, ownRedirect, floor.clock());
        this.operations = new ProviderHandler(floor, store, enabled, catalogue, client, ownRedirect.text());
    }

    /** Seals the client secrets for providers. */
    public static Sealer clientSecrets(MasterKeys masterKeys) {
        return new Sealer(masterKeys, "provider secrets");
    }

    /** The client secrets, to be sealed again when the master secret changes. */
    public SealedSecrets sealedSecrets() {
        return store.sealedSecrets();
    }
}
