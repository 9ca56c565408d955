package dev.vestibule.page.hosted;

import dev.vestibule.access.AccessModule;
import dev.vestibule.access.Floor;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.authentication.oauth.RedirectUrl;
import dev.vestibule.config.WebOrigin;
import dev.vestibule.database.Database;
import dev.vestibule.mail.WrongCodeBudget;
import dev.vestibule.oauth.server.OauthServerModule;
import dev.vestibule.page.Assets;
import dev.vestibule.page.hosted.HostedVisits.Offers;
import dev.vestibule.page.hosted.HostedVisits.Signatures;
import dev.vestibule.project.branding.BrandingCache;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.organization.OrganizationModule;
import dev.vestibule.user.organization.scim.ScimModule;
import io.vertx.core.Future;

/** Builds the hosted page. */
public final class HostedModule {
    private final HostedCodes codes;
    private final BrowserSessions browsers;
    /** The operations for browsers. */
    public final HostedPageHandler page;
    /** The account page. */
    public final AccountPageHandler account;
    /** The page that a setup link opens. */
    public final SetupPageHandler setUp;
    /** The operations for applications. */
    public final HostedApiHandler api;
    /** Acting as a user in the application. */
    public final ImpersonationPageHandler impersonations;
    /** The page in an unsaved branding. */
    public final HostedPreview preview;

    public HostedModule(
            Floor floor,
            BrandingCache brandings,
            SessionModule sessions,
            TokenModule tokens,
            AccessModule access,
            AuthenticationModule authentication,
            OauthModule oauth,
            OauthServerModule server,
            OrganizationModule organizations,
            ScimModule provisioning,
            Assets assets) {
        var database = floor.database();
        var clock = floor.clock();
        var publicUrl = floor.settings().publicUrl();
        var origin = WebOrigin.of(publicUrl);
        var ownRedirect = RedirectUrl.of(publicUrl + "/v1/auth/oauth/redirect");
        var signatures = Signatures.by(floor.masterKeys());
        var phones = authentication.phones.operations;
        var passkeys = authentication.passkeys.operations;
        this.codes = new HostedCodes(sessions.store, tokens.issuer, clock);
        var pages = new HostedPages(signatures.steps(), origin);
        var visits = new HostedVisits(
                project -> brandings.find(database.reads(), project),
                signatures,
                ownRedirect,
                new Offers(
                        phones::isOfferedBy, project -> passkeys.isOfferedTo(project, origin), access.captcha::widget),
                assets,
                oauth.onPages,
                publicUrl,
                clock);
        var isSecure = publicUrl.getScheme().equals("https");
        this.browsers = new BrowserSessions(database, sessions.store, isSecure, clock);
        this.impersonations =
                new ImpersonationPageHandler(database, authentication.dashboard.impersonations, codes, isSecure);
        var authorizations = new HostedAuthorizations(
                database,
                server.authorizations,
                new WrongCodeBudget(floor.masterKeys(), floor.settings().limits(), clock),
                browsers,
                visits,
                pages,
                publicUrl,
                clock);
        var logouts = new HostedLogouts(server.logouts, browsers, visits, pages, publicUrl, clock);
        var answers = new HostedAnswers(database, codes, pages, authorizations, browsers, visits);
        this.page = new HostedPageHandler(
                database,
                access.visitors,
                authentication,
                oauth.onPages,
                visits,
                answers,
                authorizations,
                logouts,
                browsers,
                impersonations,
                pages,
                assets,
                publicUrl);
        this.account = new AccountPageHandler(
                access.visitors,
                visits,
                browsers,
                pages,
                sessions,
                authentication,
                oauth,
                server,
                organizations,
                publicUrl,
                clock);
        this.setUp = new SetupPageHandler(
                access.visitors, visits, pages, organizations, provisioning.directories, oauth, publicUrl);
        this.api = new HostedApiHandler(database, signatures.requests(), codes, publicUrl, ownRedirect, clock);
        this.preview = new HostedPreview(pages, phones::isOfferedBy, oauth.onPages);
    }

    /** Removes old codes; maintenance calls this regularly. */
    public Future<Void> purge(Database database) {
        return codes.purge(database).compose(done -> browsers.purge(database));
    }
}
