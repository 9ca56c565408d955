package dev.vestibule;

import dev.vestibule.access.AccessModule;
import dev.vestibule.access.Floor;
import dev.vestibule.access.captcha.CaptchaModule;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.dashboard.OperatorAccounts;
import dev.vestibule.authentication.oauth.OauthModule;
import dev.vestibule.authentication.oauth.ProviderModule;
import dev.vestibule.config.Secret;
import dev.vestibule.config.Settings;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.crypto.SecretFile;
import dev.vestibule.crypto.SecretFile.SecretFileException;
import dev.vestibule.crypto.foreign.HashMemory;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Connection;
import dev.vestibule.database.ConnectionLimits;
import dev.vestibule.database.Database;
import dev.vestibule.database.Servers;
import dev.vestibule.database.Shard;
import dev.vestibule.database.embedded.EmbeddedServer;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.mail.MailModule;
import dev.vestibule.mail.sms.SmsModule;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.oauth.server.OauthServerModule;
import dev.vestibule.page.Assets;
import dev.vestibule.page.PageModule;
import dev.vestibule.page.hosted.AccountPageModule;
import dev.vestibule.page.hosted.HostedModule;
import dev.vestibule.page.hosted.SetupPageModule;
import dev.vestibule.page.hosted.SignInPageModule;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.ProjectModule;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.project.SystemProject;
import dev.vestibule.project.administration.AdministrationModule;
import dev.vestibule.project.member.InvitationBudget;
import dev.vestibule.project.member.Invitations;
import dev.vestibule.server.ApiDescription;
import dev.vestibule.server.StartException;
import dev.vestibule.session.SessionModule;
import dev.vestibule.telemetry.metrics.Meters;
import dev.vestibule.token.TokenModule;
import dev.vestibule.user.TransferSlots;
import dev.vestibule.user.UserModule;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.key.UserKeyModule;
import dev.vestibule.user.organization.OrganizationModule;
import dev.vestibule.user.organization.scim.ScimModule;
import dev.vestibule.user.password.CommonPasswords;
import dev.vestibule.user.password.PasswordModule;
import dev.vestibule.webhook.WebhookModule;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The object graph: the module of every room, built once for all event loops. */
public final class App implements AutoCloseable {
    private static final int DELIVERY_CONNECTIONS = 2;

    private final Vertx vertx;
    private final Map<Shard, Servers> servers = new HashMap<>();
    private final AtomicInteger databases = new AtomicInteger();
    private final Database database;
    private final HashingPool hashingPool;
    private final PasswordModule passwords;
    public final SmsModule sms;
    public final Settings settings;
    public final Clock clock;
    public final ChangeFeed feed;
    public final Invitations invitations;
    public final CaptchaModule captchas;
    public final AccessModule access;
    public final AuthenticationModule authentication;
    public final OauthModule oauth;
    public final OauthServerModule authorizationServer;
    public final HostedModule hosted;
    public final SignInPageModule signInPages;
    public final AccountPageModule accountPages;
    public final SetupPageModule setupPages;
    public final PageModule pages;
    public final ProjectModule projects;
    public final AdministrationModule administration;
    public final UserModule users;
    public final UserKeyModule userKeys;
    public final OrganizationModule organizations;
    public final ScimModule provisioning;
    public final MailModule mail;
    public final SessionModule sessions;
    public final TokenModule tokens;
    public final WebhookModule webhooks;
    public final JournalModule journal;

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
        this.clock = clock;
        servers.put(Shard.HOME, new Servers(vertx, connection));
        settings.database()
                .shards()
                .forEach(other -> servers.put(
                        new Shard(other.name()), new Servers(vertx, Connection.to(other, settings.database()))));
        feed = new ChangeFeed(vertx, otherShards());
        database = Database.ofEventLoops(
                vertx, servers, feed, limits(settings, connectionsOfEventLoop(settings)), databases::getAndIncrement);
        hashingPool = new HashingPool(
                vertx,
                settings.passwords().threads(),
                settings.passwords().queue(),
                new HashMemory(
                        settings.passwords().heapBudgetKibibytes(),
                        settings.passwords().nativeBudgetKibibytes()),
                meters);
        var floor = new Floor(vertx, settings, masterKeys, database, feed, hashingPool, meters, clock);
        var exportSlots = new TransferSlots(
                "exports", settings.exports().perProject(), settings.exports().total());
        var invitationBudget = new InvitationBudget(masterKeys, settings.limits(), clock);
        invitations = new Invitations(masterKeys, invitationBudget, settings.dashboard(), clock);
        passwords = new PasswordModule(floor, commonPasswords);
        journal = new JournalModule(floor, exportSlots);
        sessions = new SessionModule(floor, journal);
        tokens = new TokenModule(floor, sessions);
        mail = new MailModule(floor, sessions, invitations);
        sms = new SmsModule(floor, sessions);
        webhooks = new WebhookModule(floor, journal);
        projects = new ProjectModule(floor, journal, tokens, webhooks, mail, invitations);
        administration = new AdministrationModule(floor);
        captchas = new CaptchaModule(floor, projects);
        access = new AccessModule(floor, journal, projects, tokens, captchas);
        authentication = new AuthenticationModule(floor, journal, sessions, tokens, passwords, mail, sms, invitations);
        var providers = new ProviderModule(floor, catalogue, projects, access);
        oauth = new OauthModule(floor, journal, sessions, tokens, mail, authentication, providers);
        users = new UserModule(floor, journal, passwords, authentication, catalogue, exportSlots);
        organizations = new OrganizationModule(floor, journal, mail, authentication, providers, invitationBudget);
        userKeys = new UserKeyModule(floor, tokens, mail, organizations);
        authorizationServer = new OauthServerModule(floor, sessions, userKeys, tokens);
        provisioning = new ScimModule(floor, sessions, mail, authentication, organizations);
        var assets = new Assets();
        hosted = new HostedModule(floor, assets, projects, sessions, access, authentication, oauth);
        signInPages = new SignInPageModule(
                floor, hosted, sessions, tokens, access, authentication, oauth, authorizationServer);
        accountPages = new AccountPageModule(
                hosted, sessions, access, authentication, oauth, authorizationServer, organizations);
        setupPages = new SetupPageModule(floor, hosted, access, oauth, organizations, provisioning);
        pages = new PageModule(floor, assets, mail, hosted, ApiDescription::tree);
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
    public OperatorAccounts dashboardAccounts(Database at) {
        return authentication.dashboard.operatorAccounts(at);
    }

    /** For commands, which change dashboard accounts: what those have opened in other databases must end there. */
    public void openOtherDatabases() {
        if (database.isSpread()) {
            database.open();
        }
    }

    /** The API's; each of its event loops opens connections of its own. */
    Database apiDatabase() {
        return database;
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

    /** The databases besides home, in the order of the settings. */
    public List<Shard> otherShards() {
        return settings.database().shards().stream()
                .map(other -> new Shard(other.name()))
                .toList();
    }

    /** Home, for work that needs only one connection for writes. */
    public Database openSmallDatabase() {
        return openSmallDatabase(Shard.HOME);
    }

    /** One of the databases, for work that needs only one connection for writes. */
    public Database openSmallDatabase(Shard shard) {
        return openDatabase(shard, 1);
    }

    /** For the webhook deliverer: one connection claims while the other writes results. */
    public Database openDeliveryDatabase(Shard shard) {
        return openDatabase(shard, DELIVERY_CONNECTIONS);
    }

    private Database openDatabase(Shard shard, int writers) {
        return Database.open(
                vertx,
                shard,
                Objects.requireNonNull(servers.get(shard)),
                limits(settings, writers),
                databases.getAndIncrement());
    }

    private static ConnectionLimits limits(Settings settings, int writers) {
        var configured = settings.database();
        return new ConnectionLimits(
                writers,
                configured.poolQueue(),
                (int) configured.poolWait().toMillis(),
                configured.pipelining(),
                configured.together(),
                settings.exports().total(),
                configured.statementTimeout());
    }

    /** Blocks until passwords can be hashed. */
    void awaitHashing() {
        passwords.hasher.awaitReady();
    }

    /** The tables whose secrets are sealed again when the master secret changes. */
    public List<SealedSecrets> sealedSecrets() {
        var others = Stream.of(
                webhooks.sealedSecrets(),
                mail.sealedSecrets(),
                captchas.sealedSecrets(),
                authentication.factors.sealedSecrets());
        return Stream.concat(oauth.sealedSecrets().stream(), others).toList();
    }

    /**
     * Fails if a secret in the database was sealed with a master secret that this node does not have. Looks at the
     * tables that do not grow with the users.
     */
    public Future<Void> checkMasterSecret(Database at) {
        var checks = new ArrayList<>(List.of(tokens.signingKeys.checkAreKnown(at.reads())));
        sealedSecrets().forEach(table -> checks.add(table.checkAreKnown(at.reads())));
        return Future.all(checks).mapEmpty();
    }

    Future<Boolean> hasDashboardUser(Database at) {
        return new UserStore().anyIn(at.reads(), ProjectId.SYSTEM);
    }

    /** The code that the first registration from another machine needs. */
    Future<String> setupCode(Database at) {
        return new SystemProject(at, projects.directory).get().map(authentication.dashboard.setupCode::of);
    }

    @Override
    public void close() {
        feed.close();
        hashingPool.close();
    }
}
