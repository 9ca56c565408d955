package dev.vestibule.authentication.oauth;

import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.EmailProof;
import dev.vestibule.authentication.factor.FactorModule;
import dev.vestibule.authentication.passkey.Passkeys;
import dev.vestibule.config.OauthSettings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Batches;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.journal.audit.AuditLog;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.mail.EmailChanges;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.oauth.client.IdentityProviderClient;
import dev.vestibule.oauth.identity.LinkedIdentities;
import dev.vestibule.oauth.identity.SealedTokenStore;
import dev.vestibule.oauth.provider.EnabledProviders;
import dev.vestibule.oauth.provider.ProviderHandler;
import dev.vestibule.oauth.provider.ProviderStore;
import dev.vestibule.oauth.provider.SealedClientSecretStore;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.session.SessionStore;
import dev.vestibule.telemetry.metrics.OauthMeters;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Clock;
import java.util.List;

/** Wires this feature: the parts that all event loops share, and the handlers of each. */
public final class OauthModule {
    /** The parts of other packages that this one uses. */
    public record Collaborators(
            ProjectDirectory projects,
            SessionStore sessions,
            EventOutbox events,
            AuditLog auditLog,
            TokenIssuer tokens,
            FactorModule factors,
            MailOutbox mails,
            EmailChanges changes,
            OauthMeters meters,
            ClientAddresses addresses) {}

    private static final int BATCH = 1000;

    private final OauthSettings settings;
    private final Catalogue catalogue;
    private final Collaborators with;
    private final ChangeFeed feed;
    private final Clock clock;
    private final OauthStateStore states = new OauthStateStore();
    private final ProviderTrialStore trials = new ProviderTrialStore();
    private final UsedIdTokenStore usedIdTokens = new UsedIdTokenStore();
    private final OauthPages pages = new OauthPages();
    private final Sealer clientSecrets;
    private final ProviderStore providers;
    private final EnabledProviders enabled;
    private final IdentityProviderClient client;
    private final Pkce pkce;
    private final ConsentTokens consents;
    private final PageResponses pageResponses;
    private final BrowserNetworks networks;
    private final SealedTokenStore sealedTokens;
    private final RedirectUrl ownRedirect;

    public OauthModule(
            Vertx vertx,
            OauthSettings settings,
            Catalogue catalogue,
            MasterKeys masterKeys,
            ChangeFeed feed,
            int cachedProjects,
            URI publicUrl,
            Collaborators with,
            Clock clock) {
        this.settings = settings;
        this.catalogue = catalogue;
        this.with = with;
        this.feed = feed;
        this.clock = clock;
        this.clientSecrets = clientSecrets(masterKeys);
        this.providers = new ProviderStore(clientSecrets, catalogue);
        this.enabled = new EnabledProviders(providers, feed, cachedProjects);
        this.client = new IdentityProviderClient(vertx, settings, clock);
        this.pkce = new Pkce(masterKeys);
        this.consents = new ConsentTokens(masterKeys);
        this.pageResponses = new PageResponses(masterKeys);
        this.sealedTokens = new SealedTokenStore(new Sealer(masterKeys, "provider tokens"));
        this.ownRedirect = RedirectUrl.of(publicUrl + "/v1/auth/oauth/redirect");
        this.networks = new BrowserNetworks(with.addresses(), ownRedirect);
    }

    /**
     * Removes sign ins that were never finished, expired trials, and used ID tokens that have expired; maintenance
     * calls it regularly.
     */
    public Future<Void> purge(Database database) {
        return Batches.repeat(() ->
                        states.purge(database.writes(), clock.instant(), BATCH).map(removed -> removed == BATCH))
                .compose(purged -> Batches.repeat(() -> usedIdTokens
                        .purge(database.writes(), clock.instant(), BATCH)
                        .map(removed -> removed == BATCH)))
                .compose(purged -> Batches.repeat(() ->
                        trials.purge(database.writes(), clock.instant(), BATCH).map(removed -> removed == BATCH)));
    }

    /** Seals the client secrets for providers. */
    public static Sealer clientSecrets(MasterKeys masterKeys) {
        return new Sealer(masterKeys, "provider secrets");
    }

    /** The secrets that must be sealed again after a change of the master secret. */
    public List<SealedSecrets> sealedSecrets() {
        return List.of(new SealedClientSecretStore(clientSecrets), sealedTokens);
    }

    public OauthHandlers handlers(Database database) {
        var changes = new ProjectChanges(database, feed);
        var linked = new LinkedIdentities(sealedTokens, with.events(), with.auditLog());
        var recent = new RecentSignIn(clock);
        var links = new ProviderLinks(
                database, linked, new Passkeys(with.events()), with.events(), with.mails(), with.changes(), clock);
        var proof = new EmailProof(
                new Passkeys(with.events()), with.sessions(), with.factors().factors(), with.events());
        var accounts = new AccountLinking(
                database,
                linked,
                proof,
                with.factors().challenges(),
                with.factors().starts(),
                with.sessions(),
                with.events(),
                with.mails(),
                with.changes(),
                clock);
        var signIn = new ProviderSignIn(database, providers, client, accounts, with.mails(), with.meters());
        var clientHandled = new ClientHandledSignIn(database, pkce, signIn, clock);
        var nativeSignIn = new NativeSignIn(database, providers, client, signIn, clock);
        var start = new AuthorizationStart(database, providers, enabled, client, pkce, settings.maxOpen(), clock);
        var popup = new PopupEnding(database, with.tokens(), consents, pages, ownRedirect);
        var serverHandled = new ServerHandledSignIn(
                database,
                with.projects(),
                signIn,
                pkce,
                consents,
                pages,
                pageResponses,
                popup,
                new RedirectEnding(database, with.tokens(), pages, popup, ownRedirect),
                clock);
        var consent =
                new SignInConsent(database, with.projects(), with.sessions(), consents, serverHandled, pages, clock);
        var trial = new ProviderTrials(database, with.projects(), providers, client, pkce, pages, ownRedirect, clock);
        return new OauthHandlers(
                new PageSignIn(database, start, signIn, pageResponses, pkce, ownRedirect, clock),
                new OauthHandler(database, start, clientHandled, nativeSignIn, with.tokens(), networks, ownRedirect),
                new OauthRedirectHandler(
                        serverHandled,
                        consent,
                        new SignInPolling(database, with.tokens(), clock),
                        trial,
                        pages,
                        networks,
                        ownRedirect),
                new LinkedProviderHandler(database, sealedTokens, clientHandled, links, recent),
                new ProviderHandler(
                        database,
                        changes,
                        providers,
                        enabled,
                        catalogue,
                        client,
                        settings.allowPrivateIssuers(),
                        ownRedirect.text(),
                        clock),
                new ProviderTrialHandler(trial));
    }
}
