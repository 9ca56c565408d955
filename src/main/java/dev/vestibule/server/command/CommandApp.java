package dev.vestibule.server.command;

import dev.vestibule.App;
import dev.vestibule.config.Settings;
import dev.vestibule.crypto.UnknownMasterSecretException;
import dev.vestibule.database.Database;
import dev.vestibule.server.CheckedConfiguration;
import dev.vestibule.telemetry.metrics.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Clock;
import java.util.function.BiFunction;

/** The server's objects on its own database, without listening ports or periodic work. */
final class CommandApp implements AutoCloseable {
    private final Vertx vertx;
    private final App app;
    private final Database database;

    private CommandApp(Vertx vertx, App app) {
        this.vertx = vertx;
        this.app = app;
        this.database = app.openSmallDatabase();
        app.openOtherDatabases();
    }

    /** Fails if the master secret is not the server's. */
    static CommandApp open(Settings settings, ServerDatabase database, Clock clock) {
        var checked = CheckedConfiguration.of(settings);
        var masterKeys = App.masterKeys(settings);
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try {
            var app = new App(
                    vertx,
                    settings,
                    checked.catalogue(),
                    checked.commonPasswords(),
                    masterKeys,
                    database.connection(),
                    new Meters(new SimpleMeterRegistry()),
                    clock);
            var open = new CommandApp(vertx, app);
            open.run((graph, at) -> graph.checkMasterSecret(at));
            return open;
        } catch (UnknownMasterSecretException wrong) {
            vertx.close().await();
            throw new CommandException(
                    "The master secret does not fit " + database.place() + ": " + wrong.getMessage(), wrong);
        } catch (RuntimeException | Error failure) {
            vertx.close().await();
            throw failure;
        }
    }

    /** Blocks until the work is done. */
    <T> T run(BiFunction<App, Database, Future<T>> work) {
        return work.apply(app, database).await();
    }

    @Override
    public void close() {
        app.close();
        vertx.close().await();
    }
}
