package dev.vestibule;

import dev.vestibule.config.Settings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.MasterSecret;
import dev.vestibule.database.Connection;
import dev.vestibule.fixture.TestServer;
import dev.vestibule.oauth.catalogue.Catalogue;
import dev.vestibule.server.Route;
import dev.vestibule.server.Routes;
import dev.vestibule.telemetry.metrics.Meters;
import dev.vestibule.user.password.CommonPasswords;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes as the server builds them, without pages for people and with a database that is never called. */
final class AllRoutes {
    private static final String NOWHERE = "postgresql://nobody:nothing@localhost:1/none";

    private AllRoutes() {}

    static List<Route> list() {
        var settings = Settings.load(
                Optional.empty(),
                Map.of("VESTIBULE_DATABASE_URL", NOWHERE, "VESTIBULE_SECRET", TestServer.SECRET),
                Path.of("target", "no-such-folder"));
        var vertx = Vertx.vertx();
        try (var app = new App(
                vertx,
                settings,
                Catalogue.read(Optional.empty()),
                CommonPasswords.load(),
                new MasterKeys(MasterSecret.fromSetting("a master secret of 32 bytes or more"), List.of()),
                Connection.to(settings.database().url().orElseThrow(), settings.database()),
                new Meters(new SimpleMeterRegistry()),
                Clock.systemUTC())) {
            return Routes.of(app).stream().filter(Route::isApi).toList();
        } finally {
            vertx.close().await();
        }
    }
}
