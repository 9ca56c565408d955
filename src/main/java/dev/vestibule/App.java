package dev.vestibule;

import dev.vestibule.access.AccessModule;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.dashboard.OperatorAccounts;
import dev.vestibule.authentication.factor.FactorModule;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.authentication.passkey.PasskeyModule;
import dev.vestibule.authentication.phone.PhoneModule;
import dev.vestibule.config.Secret;
import dev.vestibule.config.Settings;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.crypto.SecretFile;
import dev.vestibule.crypto.SecretFileException;
import dev.vestibule.crypto.foreign.HashMemory;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Connection;
import dev.vestibule.database.Database;
import dev.vestibule.database.Servers;
import dev.vestibule.database.embedded.EmbeddedServer;
import dev.vestibule.journal.audit.AuditLog;
import dev.vestibule.journal.audit.AuditLogHandler;
import dev.vestibule.journal.audit.AuditPartitions;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.mail.MailModule;
import dev.vestibule.mail.sms.SmsModule;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.page.AssetHandler;
import dev.vestibule.page.Assets;
import dev.vestibule.page.console.ConsoleHandler;
import dev.vestibule.page.documentation.DocumentationHandler;
import dev.vestibule.page.documentation.DocumentationPages;
import dev.vestibule.page.hosted.HostedModule;
import dev.vestibule.page.hosted.HostedPageHandler.WaysIn;
import dev.vestibule.page.preview.PreviewHandler;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectModule;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.project.SystemProject;
import dev.vestibule.project.member.InvitationBudget;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.project.statistics.Activity;
import dev.vestibule.project.statistics.StatisticsHandler;
import dev.vestibule.server.ApiDescription;
import dev.vestibule.server.OpenApiHandler;
import dev.vestibule.server.Services;
import dev.vestibule.session.ImpersonationStore;
import dev.vestibule.session.KnownNetworks;
import dev.vestibule.session.SessionHandler;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SignInNetworks;
import dev.vestibule.telemetry.metrics.Meters;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.TransferSlots;
import dev.vestibule.user.UserModule;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.password.BreachedPasswords;
import dev.vestibule.user.password.CommonPasswords;
import dev.vestibule.user.password.NewPasswords;
import dev.vestibule.webhook.WebhookModule;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The object graph: builds the module of every package once, and from them the services of each event loop. */
public final class App implements AutoCloseable {
    private static final int DELIVERY_CONNECTIONS = 2;

    final Settings settings;
    final Clock clock;
    final ChangeFeed feed;
    final EventOutbox events;
    final Activity activity;
    final ProjectModule projects;
    final TokenModule tokens;
    final Invitations invitations;
    final MailModule mail;
    final SmsModule sms;
    final SessionStore sessions;
    final FactorModule factors;
    final PhoneModule phones;
    final PasskeyModule passkeys;
    final AuthenticationModule authentication;
    final OauthModule oauth;
    final HostedModule hosted;
    final WebhookModule webhooks;
    final AccessModule access;
    final AuditLog auditLog;

    private final Vertx vertx;
    private final Servers servers;
    private final HashingPool hashingPool;
    private final PasswordHasher hasher;
    private final UserModule users;
    private final TransferSlots exportSlots;
    private final OpenApiHandler openApi = new OpenApiHandler(ApiDescription::json);
    private final Assets assets = new Assets();
    private final DocumentationPages documentation = new DocumentationPages(assets, ApiDescription::tree);
    private final AtomicInteger databases = new AtomicInteger();

    /** Opens no connection and starts no threads except those for hashing. */
    public App(
            Vertx vertx,
            Settings settings,
            Catalogue catalogue,
            CommonPasswords commonPasswords,
            MasterKeys masterKeys,
            Connection connection,
            Meters meters,
            Clock clock) {
        this.vertx = vertx;
        this.settings = settings;
        this.servers = new Servers(vertx, connection);
        this.clock = clock;
        var passwords = settings.passwords();
        var hashMemory = new HashMemory(passwords.heapBudgetKibibytes(), passwords.nativeBudgetKibibytes());
        hashingPool = new HashingPool(vertx, passwords.threads(), passwords.queue(), hashMemory, meters);
        hasher = new PasswordHasher(
                hashingPool,
                new PasswordHasher.Cost(passwords.memoryKibibytes(), passwords.iterations(), passwords.parallelism()));
        var newPasswords = new NewPasswords(
                commonPasswords, new BreachedPasswords(vertx, passwords, meters.passwords(), clock), hasher);
        feed = new ChangeFeed(vertx);
        activity = new Activity(settings.statistics(), clock);
        events = new EventOutbox(vertx, activity);
        var networks = new SignInNetworks(masterKeys, settings.limits());
        var knownNetworks = new KnownNetworks(networks, clock);
        access = new AccessModule(settings, activity, clock);
        auditLog = new AuditLog(settings.audit(), meters.audit(), activity, clock);
        sessions = new SessionStore(events, networks, auditLog, activity);
        projects = new ProjectModule(feed, settings.projects(), clock);
        tokens = new TokenModule(vertx, feed, masterKeys, settings, meters.tokens(), clock);
        var budget = new InvitationBudget(masterKeys, settings.limits(), clock);
        invitations = new Invitations(masterKeys, budget, settings.dashboard(), clock);
        mail = new MailModule(
                vertx,
                settings.smtp(),
                settings.mail(),
                settings.limits(),
                masterKeys,
                knownNetworks,
                invitations,
                settings.dashboard(),
                settings.publicUrl(),
                settings.dataDir(),
                meters.mail(),
                clock);
        sms = new SmsModule(vertx, settings.sms(), settings.limits(), masterKeys, knownNetworks, meters.sms(), clock);
        factors = new FactorModule(
                masterKeys,
                settings.limits(),
                knownNetworks,
                sessions,
                events,
                mail.outbox(),
                mail.emailChanges(),
                tokens.issuer(),
                meters.factors(),
                clock);
        phones = new PhoneModule(
                sms.codes(),
                sessions,
                factors.challenges(),
                factors.starts(),
                events,
                mail.outbox(),
                mail.emailChanges(),
                meters.factors(),
                clock);
        passkeys = new PasskeyModule(
                masterKeys,
                hashingPool,
                sessions,
                tokens.issuer(),
                events,
                mail.outbox(),
                mail.emailChanges(),
                meters.factors(),
                clock);
        authentication = new AuthenticationModule(
                settings,
                masterKeys,
                new AuthenticationModule.Collaborators(
                        auditLog,
                        sessions,
                        networks,
                        events,
                        tokens,
                        mail.codes(),
                        mail.emailChanges(),
                        mail.passwordless(),
                        phones,
                        mail.outbox(),
                        factors,
                        passkeys,
                        meters.factors(),
                        invitations,
                        hasher,
                        newPasswords),
                clock);
        oauth = new OauthModule(
                vertx,
                settings.oauth(),
                catalogue,
                masterKeys,
                feed,
                settings.projects().cacheSize(),
                settings.publicUrl(),
                new OauthModule.Collaborators(
                        projects.directory(),
                        sessions,
                        events,
                        auditLog,
                        tokens.issuer(),
                        factors,
                        mail.outbox(),
                        mail.emailChanges(),
                        meters.oauth(),
                        access.addresses()),
                clock);
        hosted = new HostedModule(masterKeys, sessions, tokens.issuer(), settings.publicUrl(), assets, clock);
        exportSlots = new TransferSlots(
                "exports", settings.exports().perProject(), settings.exports().total());
        users = new UserModule(
                settings.users(),
                settings.imports(),
                settings.exports(),
                exportSlots,
                sessions,
                events.forManagement(),
                mail.outbox(),
                mail.emailChanges(),
                factors.starts(),
                hasher,
                newPasswords,
                catalogue,
                clock);
        webhooks = new WebhookModule(vertx, feed, events, activity, settings.webhooks(), masterKeys, clock);
    }

    /**
     * The secrets from the settings, or else the secret in the data folder, which is created together with the data: a
     * different secret could not read the data. So call this before a database is created.
     */
    public static MasterKeys masterKeys(Settings settings) {
        var file = settings.dataDir().resolve("secret");
        if (settings.secret().isEmpty() && !Files.exists(file) && EmbeddedServer.hasData(settings.dataDir())) {
            throw new StartException(
                    file + " is missing, and without the master secret nothing in the database next to it can be"
                            + " read: put it back, for example from a backup's FILE.secret, or give it as the setting"
                            + " secret");
        }
        return masterKeys(settings, file);
    }

    /** The secrets from the settings, or else the secret in this file. */
    public static MasterKeys masterKeys(Settings settings, Path file) {
        var current = settings.secret().map(App::masterSecret).orElseGet(() -> readFile(file));
        return new MasterKeys(
                current,
                settings.previousSecrets().stream().map(App::masterSecret).toList());
    }

    private static MasterSecret readFile(Path file) {
        try {
            return SecretFile.readOrCreate(file);
        } catch (SecretFileException wrong) {
            throw new StartException(String.valueOf(wrong.getMessage()));
        }
    }

    private static MasterSecret masterSecret(Secret given) {
        return MasterSecret.fromSetting(given.reveal());
    }

    /** The operator's commands on dashboard accounts. */
    public OperatorAccounts dashboardAccounts(Database database) {
        return authentication.operatorAccounts(database);
    }

    /** Creates the services of the calling event loop, with their own database connections. */
    Services openServices() {
        var database = openDatabase(connectionsOfEventLoop(settings));
        var lockout = authentication.lockout(database);
        var sessionOperations = new SessionHandler(database, sessions, clock);
        var authenticationHandlers = authentication.handlers(database, sessionOperations);
        var passwordless = authentication.passwordless(database);
        var factorOperations = factors.operations(database);
        var phoneHandlers = phones.operations(database);
        var oauthHandlers = oauth.handlers(database);
        var passkeyOperations = passkeys.operations(database);
        return new Services(
                database,
                access.guards(database, projects.directory(), projects.keyUsage(), tokens),
                access.requests(auditLog),
                access.dashboardOrigins(),
                authenticationHandlers,
                factorOperations,
                passwordless,
                phoneHandlers,
                passkeyOperations,
                oauthHandlers,
                hosted.api(database),
                hosted.page(
                        database,
                        access.visitors(database, projects.directory()),
                        new WaysIn(
                                authenticationHandlers,
                                passwordless,
                                factorOperations,
                                phoneHandlers,
                                passkeyOperations,
                                oauthHandlers.onPages())),
                projects.operations(
                        database,
                        tokens.signingKeys(),
                        webhooks.endpoints(),
                        settings.dashboard().maxProjects()),
                projects.keys(database),
                new StatisticsHandler(database, clock),
                projects.members(database, invitations, new ImpersonationStore(events), mail.outbox()),
                projects.branding(database, hashingPool),
                users.operations(database, lockout),
                users.changes(database, authentication.unlock(lockout)),
                users.imports(database),
                users.exports(database),
                sessionOperations,
                webhooks.endpointOperations(database),
                webhooks.deliveryOperations(database),
                tokens.signingKeyOperations(database),
                tokens.templateOperations(database),
                new AuditLogHandler(database, exportSlots, settings.exports(), clock),
                openApi,
                new AssetHandler(assets),
                new ConsoleHandler(assets),
                new PreviewHandler(
                        database, hashingPool, hosted.preview(phoneHandlers, oauthHandlers.onPages()), mail.preview()),
                new DocumentationHandler(documentation));
    }

    /** The maximum number of database connections that this node opens. */
    static int connections(Settings settings) {
        var connectionsPerDatabase = 2;
        // health, maintenance, mail, and SMS if it is configured
        var smallDatabases = settings.sms().url().isPresent() ? 4 : 3;
        var delivery = 1 + DELIVERY_CONNECTIONS;
        return settings.http().eventLoops() * (1 + connectionsOfEventLoop(settings))
                + smallDatabases * connectionsPerDatabase
                + delivery
                + settings.exports().total();
    }

    private static int connectionsOfEventLoop(Settings settings) {
        return Math.max(1, settings.database().poolSize() / settings.http().eventLoops());
    }

    /** For work that needs only one connection for writes. */
    public Database openSmallDatabase() {
        return openDatabase(1);
    }

    /** For the webhook deliverer: one connection claims while the other writes results. */
    Database openDeliveryDatabase() {
        return openDatabase(DELIVERY_CONNECTIONS);
    }

    private Database openDatabase(int writers) {
        var database = settings.database();
        return Database.open(
                vertx,
                servers,
                new Database.Limits(
                        writers,
                        database.poolQueue(),
                        (int) database.poolWait().toMillis(),
                        database.pipelining(),
                        database.together(),
                        settings.exports().total(),
                        database.statementTimeout()),
                databases.getAndIncrement());
    }

    /** Blocks until passwords can be hashed. */
    void awaitHashing() {
        hasher.awaitReady();
    }

    /** The tables whose secrets are sealed again when the master secret changes. */
    List<SealedSecrets> sealedSecrets() {
        var others = Stream.of(webhooks.sealedSecrets(), mail.sealedSecrets(), factors.sealedSecrets());
        return Stream.concat(oauth.sealedSecrets().stream(), others).toList();
    }

    /** Fails if anything in the database was sealed with a master secret that this node does not have. */
    public Future<Void> checkMasterSecret(Database database) {
        var checks = new ArrayList<>(List.of(tokens.signingKeys().checkAreKnown(database.reads())));
        sealedSecrets().forEach(table -> checks.add(table.checkAreKnown(database.reads())));
        return Future.all(checks).mapEmpty();
    }

    /** The monthly partitions of the audit log. */
    AuditPartitions auditPartitions(Database database) {
        return new AuditPartitions(database, settings.audit(), clock);
    }

    Future<Boolean> hasDashboardUser(Database database) {
        return new UserStore().anyIn(database.reads(), ProjectId.SYSTEM);
    }

    /** The code that the first registration from another machine needs. */
    Future<String> setupCode(Database database) {
        return new SystemProject(database, projects.directory()).get().map(authentication.setupCode()::of);
    }

    @Override
    public void close() {
        feed.close();
        hashingPool.close();
    }
}
