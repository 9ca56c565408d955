package dev.vestibule;

import dev.vestibule.config.DatabaseAddress;
import dev.vestibule.config.Settings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.SignatureProvider;
import dev.vestibule.crypto.UnknownMasterSecretException;
import dev.vestibule.database.Connection;
import dev.vestibule.database.Database;
import dev.vestibule.database.Migrations;
import dev.vestibule.database.Migrations.NewerSchemaException;
import dev.vestibule.database.Shard;
import dev.vestibule.database.backup.EmbeddedTransfer;
import dev.vestibule.database.embedded.EmbeddedServer;
import dev.vestibule.http.HostNames;
import dev.vestibule.http.RequestLog;
import dev.vestibule.server.Admission;
import dev.vestibule.server.ApiVerticle;
import dev.vestibule.server.CheckedConfiguration;
import dev.vestibule.server.FurtherDatabases;
import dev.vestibule.server.Maintenance;
import dev.vestibule.server.ManagementVerticle;
import dev.vestibule.server.Readiness;
import dev.vestibule.server.StartException;
import dev.vestibule.server.StartupTask;
import dev.vestibule.server.VertxFactory;
import dev.vestibule.telemetry.log.Logging;
import dev.vestibule.telemetry.metrics.Meters;
import dev.vestibule.telemetry.trace.otlp.Traces;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.spi.VertxTracerFactory;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts everything from the database to the listening port in order, and stops it in reverse. */
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    private static final int SPARE_CONNECTIONS = 15; // for migrations, superusers and operators
    private static final Duration CLOSE_MARGIN = Duration.ofSeconds(5);

    private final Settings settings;
    private final Clock clock;
    private final Readiness readiness = new Readiness();
    private final AtomicInteger port = new AtomicInteger();
    private final AtomicInteger managementPort = new AtomicInteger();
    private volatile boolean isServing;
    private volatile boolean isClosing;
    private boolean hasDashboardUser;
    private String setupCode = "";
    private @Nullable EmbeddedServer embedded;
    private @Nullable Traces traces;
    private @Nullable Vertx vertx;
    private @Nullable App app;
    private @Nullable String apiDeployment;
    private @Nullable String webhookDeployment;
    private @Nullable String maintenanceDeployment;
    private @Nullable FurtherDatabases furtherDatabases;

    /** Creates a server without starting it; {@link #close} can stop it at any time, even during the start. */
    Server(Settings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** Starts and blocks until the first request can be answered; a failed start leaves nothing running. */
    public static Server start(Settings settings, Clock clock) {
        var server = new Server(settings, clock);
        server.start();
        return server;
    }

    /** Blocks until the first request can be answered; a failed start leaves nothing running. */
    synchronized void start() {
        try {
            startInOrder();
        } finally {
            if (!isServing) {
                close();
            }
        }
    }

    /** The port that the API listens on. */
    public int port() {
        return port.get();
    }

    public int managementPort() {
        return managementPort.get();
    }

    /** Whether there was a dashboard user when the server started. */
    boolean hasDashboardUser() {
        return hasDashboardUser;
    }

    /** The code that the first registration from another machine needs, as long as there is no dashboard user. */
    public String setupCode() {
        return setupCode;
    }

    private void startInOrder() {
        // Slow steps that touch nothing outside this process run in parallel with the rest.
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var tracer = openTraces();
        var creation = StartupTask.start("start-vertx", () -> VertxFactory.create(settings, registry, tracer));
        var signatures = StartupTask.start("start-signatures", Executors.callable(SignatureProvider::install));
        var migrations = StartupTask.start("start-migrations", Migrations::inJar);
        Prerequisites ready;
        try {
            ready = readInOrder();
        } finally {
            vertx = creation.await(); // so that close() closes it
        }
        checkNotClosing();
        signatures.await();
        var meters = new Meters(registry);
        meters.node.registerReady(() -> isServing);
        meters.node.registerLog(Logging::dropped);
        var masterKeys = ready.masterKeys();
        meters.node.registerSecrets(masterKeys::misses);
        app = new App(
                vertx,
                settings,
                ready.configuration().catalogue(),
                ready.configuration().commonPasswords(),
                masterKeys,
                ready.connection(),
                meters,
                clock);
        var health = app.openSmallDatabase();
        var files = migrations.await();
        migrate(ready.connection(), health, files);
        checkNotClosing();
        if (ready.connection().isPooled()) {
            health.warnAboutUnboundedStatements();
        }
        meters.node.registerFeed(app.feed::isHealthy);
        var feed = app.feed.start(health.reads()).otherwiseEmpty(); // caches are bypassed until it works
        serveManagement(vertx, registry).await();
        maintenanceDeployment = maintain(vertx, app).await();
        deliverMails(vertx, app).await();
        deliverSms(vertx, app).await();
        webhookDeployment = deliverEvents(vertx, app).await();
        warnOfDatabasesNotSetUp(app, health);
        furtherDatabases = new FurtherDatabases(vertx, app, files);
        furtherDatabases.open().await();
        feed.await();
        app.awaitHashing();
        checkNotClosing();
        apiDeployment = serveApi(vertx, app, meters).await();
        isServing = true;
        StartupTask.start(
                "catalogue", ready.configuration().catalogue()::providers); // so that no request has to wait for it
    }

    /**
     * Runs before anything else, because its configuration may be wrong. Loads no tracing code unless traces are on.
     */
    private Optional<VertxTracerFactory> openTraces() {
        if (!settings.traces().isOn()) {
            return Optional.empty();
        }
        traces = Traces.open(settings.traces());
        return Optional.of(traces.factory());
    }

    private record Prerequisites(CheckedConfiguration configuration, MasterKeys masterKeys, Connection connection) {}

    /** A wrong configuration fails here, before a database is touched. */
    private Prerequisites readInOrder() {
        var configuration = CheckedConfiguration.of(settings);
        var masterKeys = App.masterKeys(settings);
        return new Prerequisites(configuration, masterKeys, connect());
    }

    private void checkNotClosing() {
        if (isClosing) {
            throw new StartException("The server was stopped while it started");
        }
    }

    private Connection connect() {
        settings.database()
                .shards()
                .forEach(further -> further.address().warning().ifPresent(LOG::warn));
        var given = settings.database().url();
        if (given.isPresent()) {
            given.get().warning().ifPresent(LOG::warn);
            settings.database().directUrl().flatMap(DatabaseAddress::warning).ifPresent(LOG::warn);
            warnOfLocalUrl();
            return Connection.to(given.get(), settings.database());
        }
        embedded = EmbeddedServer.start(
                settings.dataDir(), App.connections(settings) + SPARE_CONNECTIONS, new EmbeddedTransfer(LOG::info));
        return Connection.to(embedded.address(), settings.database());
    }

    /** A server with an external database is hardly a local trial any more. */
    private void warnOfLocalUrl() {
        if (HostNames.isLoopback(settings.publicUrl().getAuthority())) {
            LOG.warn(
                    "publicUrl (VESTIBULE_PUBLIC_URL) is {}, which only this machine can reach: tokens name it as"
                            + " their issuer, sign ins with providers return to it, and mails are sent from its host"
                            + " unless mail.from is set. Set it to the URL that browsers use, the same on every node.",
                    settings.publicUrl());
        }
    }

    private static void migrate(Connection connection, Database database, Map<String, Integer> files) {
        if (Migrations.isDone(database.reads(), files).await()) {
            return;
        }
        try {
            Migrations.run(
                    connection.jdbcUrl(),
                    connection.user(),
                    connection.password().reveal());
        } catch (NewerSchemaException | FlywayException failure) {
            throw new StartException("The database at " + connection.migrated() + " cannot be used", failure);
        }
    }

    /** No reason to stop: while nodes restart one after another, some know a new database before others do. */
    private static void warnOfDatabasesNotSetUp(App graph, Database home) {
        var missing = graph.projects.databasesNotSetUp(home).await();
        if (!missing.isEmpty()) {
            LOG.warn(
                    "database.shards lacks databases that have projects, which get 503 from this node: {}",
                    missing.stream().map(Shard::name).collect(Collectors.joining(", ")));
        }
    }

    private Future<String> serveManagement(Vertx on, PrometheusMeterRegistry registry) {
        return on.deployVerticle(new ManagementVerticle(
                        settings.management(), readiness, registry, () -> isServing, managementPort::set))
                .recover(cannotListen(
                        "management.host and management.port",
                        settings.management().port()));
    }

    private Future<String> maintain(Vertx on, App graph) {
        var database = graph.openSmallDatabase();
        var rotation = graph.tokens.keyRotation(database);
        return graph.feed
                .renumber(database.writes())
                .compose(renumbered -> graph.journal.partitions(database).maintain())
                .compose(made -> rotation.addMissingKeys())
                .compose(given -> graph.checkMasterSecret(database))
                .recover(failure -> Future.failedFuture(
                        failure instanceof UnknownMasterSecretException
                                ? new StartException("The master secret does not fit the data", failure)
                                : failure))
                .compose(checked -> settings.dashboard().email().isEmpty()
                        ? Future.succeededFuture()
                        : graph.dashboardAccounts(database)
                                .create(
                                        settings.dashboard().email().get(),
                                        settings.dashboard().password().orElseThrow())
                                .mapEmpty())
                .compose(ready -> graph.hasDashboardUser(database))
                .onSuccess(any -> hasDashboardUser = any)
                .compose(any -> graph.setupCode(database))
                .onSuccess(code -> setupCode = code)
                .compose(code -> on.deployVerticle(Maintenance.of(graph, database, rotation)));
    }

    private Future<String> deliverMails(Vertx on, App graph) {
        return on.deployVerticle(
                graph.mail.verticle(graph.openSmallDatabase()),
                new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
    }

    private Future<String> deliverSms(Vertx on, App graph) {
        return settings.sms().url().isEmpty()
                ? Future.succeededFuture("")
                : on.deployVerticle(
                        graph.sms.verticle(graph.openSmallDatabase()).orElseThrow(),
                        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
    }

    private Future<String> deliverEvents(Vertx on, App graph) {
        var database = graph.openDeliveryDatabase(Shard.HOME);
        return on.deployVerticle(
                graph.webhooks.verticle(database, graph.authorizationServer.logoutMessages(database)),
                new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER));
    }

    private Future<String> serveApi(Vertx on, App graph, Meters meters) {
        var admission = new Admission(settings.http(), graph.access.addresses, meters.http);
        var requestLog = new RequestLog(settings.log());
        return on.deployVerticle(
                        () -> new ApiVerticle(
                                settings.http(),
                                requestLog,
                                graph,
                                graph.apiDatabase(),
                                admission,
                                readiness,
                                port::set),
                        new DeploymentOptions().setInstances(settings.http().eventLoops()))
                .recover(cannotListen("http.host and http.port", settings.http().port()));
    }

    private static Function<Throwable, Future<String>> cannotListen(String settingNames, int port) {
        return failure -> Future.failedFuture(
                failure instanceof IOException
                        ? new StartException("Cannot listen on port " + port + " (" + settingNames + ")", failure)
                        : failure);
    }

    /** Takes no new work, finishes what is in flight within the configured limit, and stops everything. */
    @Override
    public void close() {
        isServing = false;
        isClosing = true; // a start in progress fails at its next step and releases the lock
        stopInOrder();
    }

    private synchronized void stopInOrder() {
        if (vertx != null) {
            var closing = vertx;
            tryToAwait(Future.join(undeploy(closing, apiDeployment), undeploy(closing, webhookDeployment)));
            tryToAwait(undeploy(closing, maintenanceDeployment));
            if (furtherDatabases != null) {
                tryToAwait(furtherDatabases.close());
            }
            if (app != null) {
                app.close();
            }
            tryToAwait(closing.close());
            vertx = null;
        }
        if (traces != null) {
            traces.close();
            traces = null;
        }
        if (embedded != null) {
            embedded.close();
            embedded = null;
        }
    }

    private static Future<Void> undeploy(Vertx from, @Nullable String deployment) {
        return deployment == null ? Future.succeededFuture() : from.undeploy(deployment);
    }

    private void tryToAwait(Future<?> future) {
        try {
            future.await(settings.http().shutdownLimit().plus(CLOSE_MARGIN).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | RuntimeException failure) {
            LOG.warn("A part of the server did not stop in time: {}", failure.toString());
        }
    }
}
