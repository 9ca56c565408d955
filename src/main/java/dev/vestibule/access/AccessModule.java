package dev.vestibule.access;

import com.maxmind.db.CHMCache;
import com.maxmind.db.Reader;
import dev.vestibule.access.captcha.CaptchaModule;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.TrustedOrigins;
import dev.vestibule.http.limits.RateLimits;
import dev.vestibule.journal.Journal;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.project.ProjectModule;
import dev.vestibule.token.TokenModule;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Builds what identifies callers. */
public final class AccessModule {
    public final ClientAddresses addresses;
    /** The origins whose pages can call the API for dashboard users. */
    public final TrustedOrigins dashboardOrigins;

    private final DeviceReader devices;
    private final Journal journal;
    /** Asks for captchas. */
    public final CaptchaGuard captcha;
    /** The visitors of a project's pages. */
    public final PageVisitors visitors;

    public final RouteGuards guards;

    public AccessModule(
            Floor floor, JournalModule journal, ProjectModule projects, TokenModule tokens, CaptchaModule captchas) {
        var settings = floor.settings();
        var database = floor.database();
        var limits = new RateLimits(settings.limits());
        this.addresses = new ClientAddresses(
                settings.http().trustedProxies(), settings.http().forwardedHeader(), floor.clock());
        this.dashboardOrigins =
                new TrustedOrigins(settings.publicUrl(), settings.dashboard().allowedOrigins());
        this.devices = new DeviceReader(
                addresses,
                settings.http().countryHeader(),
                settings.geo().databaseFile().map(AccessModule::countries));
        this.journal = journal.journal;
        this.captcha = new CaptchaGuard(captchas.captcha, addresses);
        this.visitors = new PageVisitors(database, projects.directory, limits, addresses, captcha, floor.clock());
        var authenticator = new Authenticator(
                database,
                projects.directory,
                tokens.accessTokens,
                tokens.refreshTokens,
                projects.keyUsage,
                journal.journal,
                new Administrators(settings.dashboard()),
                floor.clock());
        this.guards = new RouteGuards(
                authenticator,
                limits,
                addresses,
                dashboardOrigins,
                new RecentSignIn(floor.clock()),
                captcha,
                floor.clock());
    }

    private static Reader countries(Path file) {
        try {
            return new Reader(file.toFile(), new CHMCache());
        } catch (IOException failure) {
            throw new UncheckedIOException("geo.databaseFile cannot be read", failure);
        }
    }

    /** The request as handlers see it; call this behind the guard. */
    public ApiRequest request(RoutingContext ctx) {
        return new ApiRequest(ctx, devices, journal);
    }
}
