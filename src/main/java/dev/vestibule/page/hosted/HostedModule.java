package dev.vestibule.page.hosted;

import dev.vestibule.access.AccessModule;
import dev.vestibule.access.Floor;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.config.WebOrigin;
import dev.vestibule.page.Assets;
import dev.vestibule.page.hosted.HostedVisits.Offers;
import dev.vestibule.project.ProjectModule;
import dev.vestibule.session.SessionModule;

/** Builds what the pages of a project share: whom a browser belongs to, what it wants, and how the pages look. */
public final class HostedModule {
    /** Errors as pages. */
    public final ErrorPages errors;
    /** How the pages look. */
    public final StyleHandler style;
    /** The page in an unsaved branding. */
    public final HostedPreview preview;

    final PageCookies cookies;
    final HostedRequests requests;
    final HostedVisits visits;
    final HostedPages pages;
    final HostedEntrance entrance;
    final BrowserSessions browsers;

    public HostedModule(
            Floor floor,
            Assets assets,
            ProjectModule projects,
            SessionModule sessions,
            AccessModule access,
            AuthenticationModule authentication,
            OauthModule oauth) {
        var database = floor.database();
        var publicUrl = floor.settings().publicUrl();
        var origin = WebOrigin.of(publicUrl);
        var steps = new SignedFields(floor.masterKeys(), "hosted page steps");
        var phones = authentication.phones.operations;
        var passkeys = authentication.passkeys.operations;
        this.cookies = new PageCookies(publicUrl.getScheme().equals("https"));
        this.requests = new HostedRequests(floor.masterKeys(), publicUrl, floor.clock());
        this.visits = new HostedVisits(
                access.visitors,
                project -> projects.brandings.find(database.reads(), project),
                requests,
                steps,
                new FormTokens(floor.masterKeys()),
                cookies,
                new Offers(
                        phones::isOfferedBy,
                        project -> passkeys.isOfferedTo(project, origin),
                        oauth.onPages,
                        access.captcha::widget),
                assets);
        this.pages = new HostedPages(steps, origin);
        this.errors = new ErrorPages(assets, pages, publicUrl);
        this.entrance = new HostedEntrance(visits, pages, errors);
        this.browsers = new BrowserSessions(database, sessions.store, cookies, floor.clock());
        this.style = new StyleHandler(database, access.visitors);
        this.preview = new HostedPreview(pages, phones::isOfferedBy, oauth.onPages);
    }
}
