package dev.vestibule;

import com.maxmind.db.CHMCache;
import com.maxmind.db.Reader;
import dev.vestibule.authentication.ExpiredSessions;
import dev.vestibule.authentication.Passwords;
import dev.vestibule.authentication.SessionChanges;
import dev.vestibule.authentication.TokenRefresh;
import dev.vestibule.branding.BrandingStore;
import dev.vestibule.branding.Brandings;
import dev.vestibule.caller.Callers;
import dev.vestibule.caller.Devices;
import dev.vestibule.config.Settings;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Connection;
import dev.vestibule.database.Database;
import dev.vestibule.http.ClientAddresses;
import dev.vestibule.limits.RateLimits;
import dev.vestibule.mail.Mails;
import dev.vestibule.management.ConfiguredAccount;
import dev.vestibule.management.RegistrationPolicy;
import dev.vestibule.management.SystemProject;
import dev.vestibule.membership.MemberChanges;
import dev.vestibule.membership.MemberStore;
import dev.vestibule.membership.MembershipStore;
import dev.vestibule.metrics.Meters;
import dev.vestibule.project.ApiKeyStore;
import dev.vestibule.project.DeletedProjectStore;
import dev.vestibule.project.DeletedProjects;
import dev.vestibule.project.KeyUses;
import dev.vestibule.project.NewProjects;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectStore;
import dev.vestibule.provider.EnabledProviders;
import dev.vestibule.provider.ProviderStore;
import dev.vestibule.provider.SealedSecretStore;
import dev.vestibule.provider.SecretRenewal;
import dev.vestibule.server.ApiDescription;
import dev.vestibule.server.Services;
import dev.vestibule.session.LiveSessions;
import dev.vestibule.session.RevocationStore;
import dev.vestibule.session.SessionListStore;
import dev.vestibule.session.SessionStore;
import dev.vestibule.token.AccessTokens;
import dev.vestibule.token.KeyRotation;
import dev.vestibule.token.KeySets;
import dev.vestibule.token.RefreshTokens;
import dev.vestibule.token.SigningKeyStore;
import dev.vestibule.token.TokenIssuer;
import dev.vestibule.user.UserStore;
import dev.vestibule.users.ImportSlots;
import dev.vestibule.users.UserListStore;
import dev.vestibule.users.UserTotals;
import dev.vestibule.verification.EmailVerification;
import dev.vestibule.webhook.EventOutbox;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** The object graph: what all event loops share is built once, and what belongs to one is built for each. */
final class App implements AutoCloseable {
    private final Vertx vertx;
    private final Settings settings;
    private final Connection connection;
    private final Clock clock;

    private final UserStore users = new UserStore();
    private final UserListStore userLists = new UserListStore();
    private final SessionStore sessions = new SessionStore();
    private final SessionListStore sessionLists = new SessionListStore();
    private final RevocationStore revocations = new RevocationStore();
    private final EventOutbox events;
    private final SessionChanges sessionChanges;
    private final ProjectStore projects = new ProjectStore();
    private final ApiKeyStore apiKeys = new ApiKeyStore();
    private final MembershipStore memberships = new MembershipStore();
    private final MemberStore members = new MemberStore();
    private final KeyUses keyUses;
    private final BrandingStore brandingStore = new BrandingStore();
    private final ChangeFeed feed;
    private final HashingPool hashingPool;
    private final PasswordHasher hasher;
    private final SigningKeyStore signingKeys;
    private final KeySets keySets;
    private final ProjectDirectory directory;
    private final Brandings brandings;
    private final Sealer providerSealer;
    private final ProviderStore providers;
    private final EnabledProviders enabledProviders;
    private final UserTotals userTotals;
    private final AccessTokens accessTokens;
    private final RefreshTokens refreshTokens;
    private final KeyedHash emailHash;
    private final Mails mails;
    private final RateLimits limits;
    private final ClientAddresses addresses;
    private final Devices devices;
    private final ImportSlots importSlots;
    private final AtomicInteger databases = new AtomicInteger();
    private final Buffer description = ApiDescription.json();

    App(Vertx vertx, Settings settings, MasterKeys masterKeys, Connection connection, Meters meters, Clock clock) {
        this.vertx = vertx;
        this.settings = settings;
        this.connection = connection;
        this.clock = clock;
        var passwords = settings.passwords();
        events = new EventOutbox(vertx);
        sessionChanges = new SessionChanges(sessions, revocations, events);
        keyUses = new KeyUses(apiKeys, clock);
        feed = new ChangeFeed(vertx, connection.options());
        hashingPool = new HashingPool(vertx, passwords.threads(), passwords.queue(), meters);
        hasher = new PasswordHasher(
                hashingPool,
                new PasswordHasher.Cost(passwords.memoryKibibytes(), passwords.iterations(), passwords.parallelism()));
        signingKeys = new SigningKeyStore(new Sealer(masterKeys, "signing keys"));
        keySets = new KeySets(vertx, signingKeys, feed, settings.projects().cacheSize());
        directory = new ProjectDirectory(
                projects, apiKeys, feed, settings.projects().cacheSize());
        brandings = new Brandings(brandingStore, feed, settings.projects().brandingCacheBytes());
        providerSealer = new Sealer(masterKeys, "provider secrets");
        providers = new ProviderStore(providerSealer);
        enabledProviders =
                new EnabledProviders(providers, feed, settings.projects().cacheSize());
        userTotals = new UserTotals(userLists, settings.users().totalsCacheSize());
        accessTokens = new AccessTokens(
                keySets,
                settings.publicUrl().toString(),
                clock,
                settings.tokens().cacheSize());
        refreshTokens = new RefreshTokens(new KeyedHash(masterKeys, "refresh tokens"));
        emailHash = new KeyedHash(masterKeys, "failed sign ins");
        mails = new Mails(vertx, settings.smtp(), settings.mail(), masterKeys, meters.mail(), clock);
        limits = new RateLimits(settings.limits());
        importSlots = new ImportSlots(settings.imports());
        addresses = new ClientAddresses(settings.http().trustedProxies());
        devices = new Devices(
                addresses,
                settings.http().countryHeader(),
                settings.geo().databaseFile().map(App::countries));
    }

    ChangeFeed feed() {
        return feed;
    }

    /** How many connections this node opens at the most. */
    static int connections(Settings settings) {
        var eachDoorOfTwo = 2; // of health, of maintenance, and of mails
        return settings.http().eventLoops() * (1 + share(settings)) + 3 * eachDoorOfTwo + 1; // and the change feed
    }

    private static int share(Settings settings) {
        return Math.max(1, settings.database().poolSize() / settings.http().eventLoops());
    }

    /** The doors to the database for what needs no more than one connection to write. */
    Database openSmallDatabase() {
        return openDatabase(1);
    }

    private Database openDatabase(int share) {
        var database = settings.database();
        return Database.open(
                vertx,
                connection,
                new Database.Limits(
                        share, database.poolQueue(), (int) database.poolWait().toMillis(), database.pipelining()),
                databases.getAndIncrement());
    }

    /** What the handlers of the calling event loop are made of. */
    Services openServices() {
        var database = openDatabase(share(settings)); // this event loop's share of the node's connections
        var issuer = new TokenIssuer(accessTokens, refreshTokens);
        return new Services(
                database,
                hashingPool,
                users,
                userLists,
                userTotals,
                sessionLists,
                revocations,
                sessionChanges,
                events,
                signingKeys,
                memberships,
                members,
                new MemberChanges(database, projects, memberships, members),
                projects,
                apiKeys,
                settings.projects().maxKeys(),
                new ProjectChanges(database, feed),
                brandingStore,
                brandings,
                providers,
                enabledProviders,
                keySets,
                passwords(database, issuer),
                hasher,
                importSlots,
                settings.imports(),
                new EmailVerification(database, mails.codes(), users, sessionChanges, events, issuer, clock),
                mails.outbox(),
                new TokenRefresh(
                        database,
                        sessions,
                        sessionChanges,
                        refreshTokens,
                        issuer,
                        clock,
                        settings.sessions().refreshGrace()),
                new SystemProject(database, directory),
                new RegistrationPolicy(settings.dashboard().registration(), projects, users),
                new NewProjects(projects, apiKeys),
                new Callers(
                        database,
                        directory,
                        accessTokens,
                        refreshTokens,
                        new LiveSessions(database, sessions, clock),
                        memberships,
                        keyUses),
                limits,
                addresses,
                devices,
                description,
                clock);
    }

    Mails mails() {
        return mails;
    }

    ExpiredSessions expiredSessions(Database database) {
        return new ExpiredSessions(database, sessions, events, clock);
    }

    DeletedProjects deletedProjects(Database database) {
        return new DeletedProjects(database, new DeletedProjectStore(), DeletedProjects.BATCH);
    }

    KeyUses keyUses() {
        return keyUses;
    }

    Passwords passwords(Database database) {
        return passwords(database, new TokenIssuer(accessTokens, refreshTokens));
    }

    KeyRotation keyRotation(Database database) {
        return new KeyRotation(
                database, signingKeys, clock, Duration.ofDays(settings.tokens().signingKeyDays()));
    }

    SecretRenewal secretRenewal(Database database) {
        return new SecretRenewal(database, new SealedSecretStore(providerSealer));
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

    private Passwords passwords(Database database, TokenIssuer issuer) {
        return Passwords.create(
                database, users, sessionChanges, events, hasher, issuer, emailHash, mails, settings.limits(), clock);
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
