package dev.vestibule.oauth;

import dev.vestibule.access.DeviceReader;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.metrics.OauthMeters;
import dev.vestibule.oauth.client.IdentityProviderClient;
import dev.vestibule.oauth.identity.AccountLinking;
import dev.vestibule.oauth.identity.GetProviderTokensHandler;
import dev.vestibule.oauth.identity.IdentityStore;
import dev.vestibule.oauth.identity.LinkProviderHandler;
import dev.vestibule.oauth.identity.LinkedIdentities;
import dev.vestibule.oauth.identity.ListLinkedProvidersHandler;
import dev.vestibule.oauth.identity.ProviderLinks;
import dev.vestibule.oauth.identity.SealedTokenStore;
import dev.vestibule.oauth.identity.UnlinkProviderHandler;
import dev.vestibule.oauth.provider.ListProviderSettingsHandler;
import dev.vestibule.oauth.provider.ListProvidersHandler;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.session.SessionChanges;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Clock;

/** Builds what sign ins with providers are made of, from one set of collaborators. */
public final class OauthModule {
    /** What other packages have to offer. */
    public record Collaborators(
            ProvidersModule providers,
            ProjectDirectory projects,
            UserStore users,
            SessionChanges sessions,
            EventOutbox events,
            TokenIssuer tokens,
            MailOutbox mails,
            OauthMeters meters,
            ClientAddresses addresses,
            DeviceReader devices) {}

    private static final int BATCH = 1000;

    private final Collaborators with;
    private final OauthStateStore states = new OauthStateStore();
    private final IdentityStore identities = new IdentityStore();
    private final OauthPages pages = new OauthPages();
    private final Pkce proofKeys;
    private final SealedTokenStore sealedTokens;
    private final RedirectUrl ownRedirect;
    private final int mostOpen;
    private final Clock clock;

    public OauthModule(Collaborators with, MasterKeys masterKeys, URI publicUrl, Clock clock) {
        this.with = with;
        this.proofKeys = new Pkce(masterKeys);
        this.sealedTokens = new SealedTokenStore(new Sealer(masterKeys, "provider tokens"));
        this.ownRedirect = RedirectUrl.of(publicUrl + "/v1/auth/oauth/redirect");
        this.mostOpen = with.providers().settings().maxOpen();
        this.clock = clock;
    }

    /** Forgets the sign ins that nobody waits for any longer. */
    public Future<Void> purge(Database database) {
        return Batches.repeat(
                () -> states.purge(database.writes(), clock.instant(), BATCH).map(removed -> removed == BATCH));
    }

    /** What is to be sealed anew after a change of the master secret. */
    public SealedSecrets sealedSecrets() {
        return sealedTokens;
    }

    /** For the calling event loop. */
    public OauthHandlers handlers(Database database, SessionStore sessions) {
        var client = with.providers().client();
        var linked = new LinkedIdentities(identities, sealedTokens, with.events());
        var links = new ProviderLinks(database, with.users(), identities, linked, with.events(), clock);
        var check = new CallbackValidator(database, states, proofKeys, clock);
        var signIn = signIn(database, client, linked);
        var redirect =
                new OauthRedirectHandler(serverHandled(database, signIn), pages, with.addresses(), with.devices());
        return new OauthHandlers(
                new ListProvidersHandler(database, with.providers().enabled()),
                new ListProviderSettingsHandler(database, with.providers().store()),
                new GetOauthUrlHandler(
                        database,
                        with.providers().enabled(),
                        authorizations(database, client),
                        ownRedirect,
                        with.addresses()),
                new OauthCallbackHandler(database, check, signIn, with.tokens(), with.devices()),
                redirect,
                new PostOauthRedirectHandler(redirect),
                new PollOauthHandler(database, states, sessions, with.tokens(), clock),
                new ListLinkedProvidersHandler(database, identities),
                new LinkProviderHandler(check, signIn, links, with.devices()),
                new UnlinkProviderHandler(links),
                new GetProviderTokensHandler(database, identities, sealedTokens));
    }

    private AuthorizationStart authorizations(Database database, IdentityProviderClient client) {
        return new AuthorizationStart(database, with.providers().store(), client, states, proofKeys, mostOpen, clock);
    }

    private ProviderSignIn signIn(Database database, IdentityProviderClient client, LinkedIdentities linked) {
        var accounts = new AccountLinking(database, with.users(), linked, with.sessions(), with.events(), clock);
        return new ProviderSignIn(database, with.providers().store(), client, accounts, with.mails(), with.meters());
    }

    private ServerHandledSignIn serverHandled(Database database, ProviderSignIn signIn) {
        return new ServerHandledSignIn(
                database, with.projects(), states, signIn, proofKeys, with.tokens(), pages, ownRedirect, clock);
    }
}
