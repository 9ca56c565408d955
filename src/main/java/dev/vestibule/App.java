package dev.vestibule;

import com.maxmind.db.CHMCache;
import com.maxmind.db.Reader;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.dashboard.ConfiguredAccount;
import dev.vestibule.config.Settings;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Connection;
import dev.vestibule.database.Database;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.limits.RateLimits;
import dev.vestibule.mail.MailModule;
import dev.vestibule.metrics.Meters;
import dev.vestibule.oauth.OauthModule;
import dev.vestibule.oauth.ProvidersModule;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.project.ApiKeyStore;
import dev.vestibule.project.ApiKeyUsage;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.project.branding.BrandingCache;
import dev.vestibule.project.branding.BrandingStore;
import dev.vestibule.project.member.MemberStore;
import dev.vestibule.server.ApiDescription;
import dev.vestibule.server.Services;
import dev.vestibule.session.RevocationStore;
import dev.vestibule.session.SessionChanges;
import dev.vestibule.session.SessionListStore;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.AccessTokens;
import dev.vestibule.token.KeyRotation;
import dev.vestibule.token.KeySets;
import dev.vestibule.token.RefreshTokens;
import dev.vestibule.token.SigningKeyStore;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.UserListStore;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.UserTotals;
import dev.vestibule.user.imports.ImportSlots;
import dev.vestibule.webhook.WebhookModule;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The object graph of what is built once. {@link LoopServices} builds from it what each event loop has for itself, and
 * {@link Maintenance} what is done besides requests.
 */
final class App implements AutoCloseable {
    private static final int TO_DELIVER = 2;

    final Vertx vertx;
    final Settings settings;
    final Connection connection;
    final Clock clock;

    final UserStore users = new UserStore();
    final UserListStore userLists = new UserListStore();
    final SessionStore sessions = new SessionStore();
    final SessionListStore sessionLists = new SessionListStore();
    final RevocationStore revocations = new RevocationStore();
    final WebhookModule webhooks;
    final EventOutbox events;
    final SessionChanges sessionChanges;
    final ProjectStore projects = new ProjectStore();
    final ApiKeyStore apiKeys = new ApiKeyStore();
    final MemberStore members = new MemberStore();
    final ApiKeyUsage keyUses;
    final BrandingStore brandingStore = new BrandingStore();
    final ChangeFeed feed;
    final HashingPool hashingPool;
    final PasswordHasher hasher;
    final SigningKeyStore signingKeys;
    final KeySets keySets;
    final ProjectDirectory directory;
    final BrandingCache brandings;
    final ProvidersModule providers;
    final OauthModule oauth;
    final UserTotals userTotals;
    final AccessTokens accessTokens;
    final RefreshTokens refreshTokens;
    final TokenIssuer issuer;
    final KeyedHash emailHash;
    final MailModule mails;
    final RateLimits limits;
    final ClientAddresses addresses;
    final DeviceReader devices;
    final ImportSlots importSlots;
    final AtomicInteger databases = new AtomicInteger();
    final Buffer description = ApiDescription.json();

    App(
            Vertx vertx,
            Settings settings,
            Catalogue catalogue,
            MasterKeys masterKeys,
            Connection connection,
            Meters meters,
            Clock clock) {
        this.vertx = vertx;
        this.settings = settings;
        this.connection = connection;
        this.clock = clock;
        var passwords = settings.passwords();
        webhooks = new WebhookModule(vertx, settings.webhooks(), masterKeys);
        events = webhooks.outbox();
        sessionChanges = new SessionChanges(sessions, revocations, events);
        keyUses = new ApiKeyUsage(apiKeys, clock);
        feed = new ChangeFeed(vertx, connection.options());
        hashingPool = new HashingPool(vertx, passwords.threads(), passwords.queue(), meters);
        hasher = new PasswordHasher(
                hashingPool,
                new PasswordHasher.Cost(passwords.memoryKibibytes(), passwords.iterations(), passwords.parallelism()));
        signingKeys = new SigningKeyStore(new Sealer(masterKeys, "signing keys"));
        keySets = new KeySets(vertx, signingKeys, feed, settings.projects().cacheSize());
        directory = new ProjectDirectory(
                projects, apiKeys, feed, settings.projects().cacheSize());
        brandings = new BrandingCache(brandingStore, feed, settings.projects().brandingCacheBytes());
        providers = new ProvidersModule(
                vertx,
                settings.oauth(),
                catalogue,
                masterKeys,
                feed,
                settings.projects().cacheSize(),
                clock);
        userTotals = new UserTotals(userLists, settings.users().totalsCacheSize());
        accessTokens = new AccessTokens(
                keySets,
                settings.publicUrl().toString(),
                clock,
                settings.tokens().cacheSize());
        refreshTokens = new RefreshTokens(new KeyedHash(masterKeys, "refresh tokens"));
        issuer = new TokenIssuer(accessTokens, refreshTokens);
        emailHash = new KeyedHash(masterKeys, "failed sign ins");
        mails = new MailModule(vertx, settings.smtp(), settings.mail(), masterKeys, meters.mail(), clock);
        limits = new RateLimits(settings.limits());
        importSlots = new ImportSlots(settings.imports());
        addresses = new ClientAddresses(settings.http().trustedProxies());
        devices = new DeviceReader(
                addresses,
                settings.http().countryHeader(),
                settings.geo().databaseFile().map(App::countries));
        oauth = new OauthModule(
                new OauthModule.Collaborators(
                        providers,
                        directory,
                        users,
                        sessionChanges,
                        events,
                        issuer,
                        mails.outbox(),
                        meters.oauth(),
                        addresses,
                        devices),
                masterKeys,
                settings.publicUrl(),
                clock);
    }

    /** How many connections this node opens at the most. */
    static int connections(Settings settings) {
        var eachDoorOfTwo = 2; // of health, of maintenance, and of mails
        var andOfDeliveries = 1 + TO_DELIVER;
        return settings.http().eventLoops() * (1 + share(settings))
                + 3 * eachDoorOfTwo
                + andOfDeliveries
                + 1; // and the change feed
    }

    private static int share(Settings settings) {
        return Math.max(1, settings.database().poolSize() / settings.http().eventLoops());
    }

    /** The doors to the database for what needs no more than one connection to write. */
    Database openSmallDatabase() {
        return openDatabase(1);
    }

    /** One claims while the other writes results. */
    Database openDatabaseToDeliver() {
        return openDatabase(connection.toGrowingTables(), TO_DELIVER);
    }

    private Database openDatabase(int share) {
        return openDatabase(connection, share);
    }

    private Database openDatabase(Connection through, int share) {
        var database = settings.database();
        return Database.open(
                vertx,
                through,
                new Database.Limits(
                        share, database.poolQueue(), (int) database.poolWait().toMillis(), database.pipelining()),
                databases.getAndIncrement());
    }

    /** What the handlers of the calling event loop are made of. */
    Services openServices() {
        return LoopServices.of(this, openDatabase(share(settings))); // this event loop's share of the connections
    }

    AuthenticationModule passwords(Database database) {
        return AuthenticationModule.create(
                database, users, sessionChanges, events, hasher, issuer, emailHash, mails, settings.limits(), clock);
    }

    KeyRotation keyRotation(Database database) {
        return new KeyRotation(
                database, signingKeys, clock, Duration.ofDays(settings.tokens().signingKeyDays()));
    }

    ConfiguredAccount configuredAccount(Database database) {
        return new ConfiguredAccount(database, users, hasher, clock);
    }

    /** Fails where the signing keys in the database were sealed under a master secret that this node does not have. */
    Future<Void> checkMasterSecret(Database database) {
        return keySets.published(database.reads(), ProjectId.SYSTEM).mapEmpty();
    }

    Future<Boolean> hasDashboardUser(Database database) {
        return users.anyIn(database.reads(), ProjectId.SYSTEM);
    }

    private static Reader countries(Path file) {
        try {
            return new Reader(file.toFile(), new CHMCache());
        } catch (IOException failure) {
            throw new UncheckedIOException("geo.databaseFile cannot be read", failure);
        }
    }

    @Override
    public void close() {
        feed.close();
        hashingPool.close();
    }
}
