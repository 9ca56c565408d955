package dev.vestibule.page.hosted;

import dev.vestibule.access.AccessModule;
import dev.vestibule.access.Floor;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.database.Database;
import dev.vestibule.mail.WrongCodeBudget;
import dev.vestibule.oauth.server.OauthServerModule;
import dev.vestibule.session.SessionModule;
import dev.vestibule.token.TokenModule;
import io.vertx.core.Future;

/** Builds the pages on which people sign in and out, and the operations by which applications use them. */
public final class SignInPageModule {
    private final HostedCodes codes;
    private final BrowserSessions browsers;
    public final HostedPageHandler page;
    public final AuthorizationPageHandler authorizations;
    public final DevicePageHandler devices;
    public final LogoutPageHandler logouts;
    /** The operations for applications. */
    public final HostedApiHandler api;
    /** Acting as a user in the application. */
    public final ImpersonationPageHandler impersonations;

    public SignInPageModule(
            Floor floor,
            HostedModule hosted,
            SessionModule sessions,
            TokenModule tokens,
            AccessModule access,
            AuthenticationModule authentication,
            OauthModule oauth,
            OauthServerModule server) {
        var database = floor.database();
        var clock = floor.clock();
        var requests = hosted.requests;
        var visits = hosted.visits;
        var pages = hosted.pages;
        var entrance = hosted.entrance;
        this.browsers = hosted.browsers;
        this.codes = new HostedCodes(database, sessions.store, tokens.issuer, clock);
        var lent = new LentSessions(codes, hosted.cookies);
        var hostedAuthorizations = new HostedAuthorizations(server.authorizations, browsers, visits, pages, clock);
        this.page = new HostedPageHandler(
                entrance,
                visits,
                access.visitors,
                authentication,
                oauth.onPages,
                new HostedAnswers(requests, codes, lent, browsers, hostedAuthorizations, pages),
                browsers,
                pages);
        this.authorizations = new AuthorizationPageHandler(
                server.authorizations, hostedAuthorizations, entrance, requests, visits, pages);
        this.devices = new DevicePageHandler(
                database,
                server.authorizations,
                new WrongCodeBudget(floor.masterKeys(), floor.settings().limits(), clock),
                entrance,
                visits,
                pages);
        this.logouts = new LogoutPageHandler(server.logouts, entrance, requests, visits, browsers, pages, clock);
        this.api = new HostedApiHandler(requests, codes, clock);
        this.impersonations = new ImpersonationPageHandler(authentication.dashboard.impersonations, lent);
    }

    /** Removes old codes and browsers' sessions; maintenance calls this regularly. */
    public Future<Void> purge(Database database) {
        return codes.purge(database).compose(done -> browsers.purge(database));
    }
}
