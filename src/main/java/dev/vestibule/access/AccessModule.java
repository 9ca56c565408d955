package dev.vestibule.access;

import com.maxmind.db.CHMCache;
import com.maxmind.db.Reader;
import dev.vestibule.config.Settings;
import dev.vestibule.database.Database;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.http.TrustedOrigins;
import dev.vestibule.http.limits.RateLimits;
import dev.vestibule.journal.audit.AuditLog;
import dev.vestibule.project.ApiKeyUsage;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.statistics.Activity;
import dev.vestibule.session.ActiveSessions;
import dev.vestibule.token.TokenModule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;

/** Builds what identifies callers: the parts that all event loops share, and the guards of each. */
public final class AccessModule {
    private final ClientAddresses addresses;
    private final DeviceReader devices;
    private final RateLimits limits;
    private final Activity activity;
    private final TrustedOrigins dashboardOrigins;
    private final Clock clock;

    public AccessModule(Settings settings, Activity activity, Clock clock) {
        this.addresses = new ClientAddresses(
                settings.http().trustedProxies(), settings.http().forwardedHeader(), clock);
        this.devices = new DeviceReader(
                addresses,
                settings.http().countryHeader(),
                settings.geo().databaseFile().map(AccessModule::countries));
        this.limits = new RateLimits(settings.limits());
        this.activity = activity;
        this.dashboardOrigins =
                new TrustedOrigins(settings.publicUrl(), settings.dashboard().allowedOrigins());
        this.clock = clock;
    }

    private static Reader countries(Path file) {
        try {
            return new Reader(file.toFile(), new CHMCache());
        } catch (IOException failure) {
            throw new UncheckedIOException("geo.databaseFile cannot be read", failure);
        }
    }

    /** The origins whose pages can call the API for dashboard users. */
    public TrustedOrigins dashboardOrigins() {
        return dashboardOrigins;
    }

    public ClientAddresses addresses() {
        return addresses;
    }

    /** What handlers get of a request. */
    public ApiRequests requests(AuditLog log) {
        return new ApiRequests(devices, log);
    }

    /** The visitors of a project's pages. */
    public PageVisitors visitors(Database database, ProjectDirectory projects) {
        return new PageVisitors(database, projects, limits, addresses);
    }

    public RouteGuards guards(Database database, ProjectDirectory projects, ApiKeyUsage keyUsage, TokenModule tokens) {
        var authenticator = new Authenticator(
                database,
                projects,
                tokens.accessTokens(),
                tokens.refreshTokens(),
                new ActiveSessions(database, clock),
                keyUsage,
                activity);
        return new RouteGuards(authenticator, limits, addresses, dashboardOrigins, new RecentSignIn(clock));
    }
}
