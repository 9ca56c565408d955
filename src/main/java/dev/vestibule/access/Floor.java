package dev.vestibule.access;

import dev.vestibule.config.Settings;
import dev.vestibule.crypto.HashingPool;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.telemetry.metrics.Meters;
import io.vertx.core.Vertx;
import java.time.Clock;

/**
 * What nearly every module builds its room on. It is in this room because only modules and handlers may use it: other
 * classes name what they need themselves.
 *
 * @param database the API's, which finds the connections of the calling event loop
 */
public record Floor(
        Vertx vertx,
        Settings settings,
        MasterKeys masterKeys,
        Database database,
        ChangeFeed feed,
        HashingPool workers,
        Meters meters,
        Clock clock) {}
