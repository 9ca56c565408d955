package dev.vestibule.authentication.oauth;

import dev.vestibule.access.Floor;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Database;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.oauth.identity.LinkedIdentities;
import dev.vestibule.oauth.identity.SealedTokens;
import dev.vestibule.oauth.provider.ProviderHandler;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;

/** Builds sign in with providers, and their links to accounts. */
public final class OauthModule {
    private final Clock clock;
    private final ProviderModule providers;
    private final SealedTokens sealedTokens;
    /** Sign in with providers on the hosted page. */
    public final PageSignIn onPages;

    public final OauthHandler signIns;
    public final OauthRedirectHandler redirects;
    public final LinkedProviderHandler linked;
    public final ProviderTrialHandler trials;

    public OauthModule(
            Floor floor,
            JournalModule journal,
            SessionModule sessions,
            TokenModule tokens,
            MailModule mail,
            AuthenticationModule authentication,
            ProviderModule providers) {
        this.clock = floor.clock();
        this.providers = providers;
        this.sealedTokens = new SealedTokens(new Sealer(floor.masterKeys(), "provider tokens"));
        var database = floor.database();
        var secrets = providers.secrets;
        var pages = providers.pages;
        var ownRedirect = providers.ownRedirect;
        var identities = new LinkedIdentities(sealedTokens, journal.journal);
        var accounts = new AccountLinking(
                database,
                identities,
                authentication.signIns.proof,
                authentication.factors.challenges,
                authentication.factors.starts,
                sessions.store,
                mail.mails,
                clock);
        var signIn = new ProviderSignIn(
                database, providers.store, providers.client, accounts, mail.mails.outbox(), floor.meters().oauth);
        var start = new AuthorizationStart(
                database,
                providers.store,
                providers.enabled,
                providers.client,
                secrets.pkce(),
                floor.settings().oauth().maxOpen(),
                clock);
        var clientHandled = new ClientHandledSignIn(database, secrets.pkce(), signIn, clock);
        var nativeSignIn = new NativeSignIn(database, providers.store, providers.client, signIn, clock);
        this.onPages = new PageSignIn(
                database,
                start,
                sessions.connections,
                signIn,
                secrets.pageResponses(),
                secrets.pkce(),
                ownRedirect,
                clock);
        this.signIns = new OauthHandler(
                database,
                start,
                sessions.connections,
                clientHandled,
                nativeSignIn,
                tokens.issuer,
                providers.networks,
                ownRedirect);
        var popup = new PopupEnding(database, tokens.issuer, secrets.consents(), pages, ownRedirect);
        var serverHandled = new ServerHandledSignIn(
                database,
                providers.projects,
                signIn,
                secrets,
                pages,
                popup,
                new RedirectEnding(database, tokens.issuer, pages, popup, ownRedirect),
                clock);
        this.redirects = new OauthRedirectHandler(
                serverHandled,
                new SignInConsent(
                        database, providers.projects, sessions.store, secrets.consents(), serverHandled, pages, clock),
                new SignInPolling(database, sessions.store, tokens.issuer, clock),
                providers.trials,
                pages,
                providers.networks,
                ownRedirect);
        var links = new ProviderLinks(database, identities, mail.mails, clock);
        this.linked = new LinkedProviderHandler(
                database, sealedTokens, clientHandled, onPages, links, new RecentSignIn(clock));
        this.trials = new ProviderTrialHandler(providers.trials);
    }

    public ProviderHandler providers() {
        return providers.operations;
    }

    /** The secrets that must be sealed again after a change of the master secret. */
    public List<SealedSecrets> sealedSecrets() {
        return List.of(providers.sealedSecrets(), sealedTokens.sealedSecrets());
    }

    /** Removes sign ins that were never finished, and expired trials; maintenance calls it regularly. */
    public Future<Void> purge(Database database) {
        return OauthStateStore.EXPIRED
                .remove(database, clock.instant())
                .compose(purged -> ProviderTrialStore.EXPIRED.remove(database, clock.instant()));
    }
}
