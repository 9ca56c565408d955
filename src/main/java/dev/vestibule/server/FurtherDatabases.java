package dev.vestibule.server;

import dev.vestibule.App;
import dev.vestibule.config.ShardAddress;
import dev.vestibule.database.Connection;
import dev.vestibule.database.Database;
import dev.vestibule.database.Migrations;
import dev.vestibule.database.Shard;
import dev.vestibule.token.KeyRotation;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the databases besides home, and does the background work of each. One that does not answer is tried again until
 * it does, and until then only its own projects are away: the node starts and works without it.
 */
public final class FurtherDatabases {
    private static final Logger LOG = LoggerFactory.getLogger(FurtherDatabases.class);
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final App app;
    private final Map<String, Integer> migrations;
    private final List<String> workers = new CopyOnWriteArrayList<>();
    private final List<String> maintenances = new CopyOnWriteArrayList<>();
    private volatile boolean isClosed;

    /** The migrations are those of the jar, as {@link Migrations#inJar} finds them. */
    public FurtherDatabases(Vertx vertx, App app, Map<String, Integer> migrations) {
        this.vertx = vertx;
        this.app = app;
        this.migrations = migrations;
    }

    /** Completes when each has been tried once, and never fails. */
    public Future<Void> open() {
        return Future.join(app.settings.database().shards().stream()
                        .map(address -> {
                            var shard = new Shard(address.name());
                            return open(address, shard, app.openSmallDatabase(shard), app.openSmallDatabase(shard));
                        })
                        .toList())
                .mapEmpty();
    }

    private Future<Void> open(ShardAddress address, Shard shard, Database health, Database maintenance) {
        if (isClosed) {
            return Future.succeededFuture();
        }
        var rotation = app.tokens.keyRotation(maintenance);
        return prepare(Connection.to(address, app.settings.database()), maintenance, rotation)
                .compose(ready -> begin(shard, health, maintenance, rotation), failure -> {
                    LOG.warn(
                            "The database {} cannot be used, and its projects are away until it can: {}",
                            shard,
                            failure.toString());
                    vertx.setTimer(RETRY.toMillis(), due -> open(address, shard, health, maintenance));
                    return Future.succeededFuture();
                });
    }

    /** What can be done as often as it takes. */
    private Future<Void> prepare(Connection connection, Database database, KeyRotation rotation) {
        return Migrations.isDone(database.reads(), migrations)
                .compose(done -> done ? Future.<Void>succeededFuture() : migrate(connection))
                .compose(migrated -> app.feed.renumber(database.writes()))
                .compose(renumbered -> app.journal.partitions(database).maintain())
                .compose(made -> rotation.addMissingKeys())
                .compose(given -> app.checkMasterSecret(database));
    }

    private Future<Void> migrate(Connection connection) {
        Promise<Void> migrated = Promise.promise();
        StartupTask.start("migrate", () -> {
            try {
                Migrations.run(
                        connection.jdbcUrl(),
                        connection.user(),
                        connection.password().reveal());
                migrated.complete();
            } catch (RuntimeException failure) {
                migrated.fail(failure);
            }
            return null;
        });
        return migrated.future();
    }

    private Future<Void> begin(Shard shard, Database health, Database maintenance, KeyRotation rotation) {
        return app.feed
                .start(shard, health.reads())
                .otherwiseEmpty() // it goes on trying
                .compose(heard -> deploy(
                        shard, Maintenance.of(app, maintenance, rotation), ThreadingModel.EVENT_LOOP, maintenances))
                .compose(maintained -> work(shard))
                .onFailure(failure -> LOG.error("The background work of the database {} cannot begin", shard, failure));
    }

    private Future<Void> work(Shard shard) {
        var deliveries = app.openDeliveryDatabase(shard);
        var deliverer = app.webhooks.verticle(deliveries, app.authorizationServer.logoutMessages(deliveries));
        return deploy(shard, app.mail.verticle(app.openSmallDatabase(shard)), ThreadingModel.WORKER, workers)
                .compose(mails -> deploy(shard, deliverer, ThreadingModel.WORKER, workers))
                .compose(delivers -> app.settings.sms().url().isEmpty()
                        ? Future.succeededFuture()
                        : deploy(
                                shard,
                                app.sms.verticle(app.openSmallDatabase(shard)).orElseThrow(),
                                ThreadingModel.WORKER,
                                workers));
    }

    private Future<Void> deploy(Shard shard, Deployable verticle, ThreadingModel threads, List<String> deployments) {
        return vertx.deployVerticle(
                        new ShardVerticle(shard, verticle), new DeploymentOptions().setThreadingModel(threads))
                .onSuccess(deployments::add)
                .mapEmpty();
    }

    /** Finishes the work in progress, after the last request. */
    public Future<Void> close() {
        isClosed = true;
        return undeploy(workers).compose(done -> undeploy(maintenances));
    }

    private Future<Void> undeploy(List<String> deployments) {
        return Future.join(deployments.stream().map(vertx::undeploy).toList()).mapEmpty();
    }
}
