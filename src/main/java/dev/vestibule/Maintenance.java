package dev.vestibule;

import dev.vestibule.database.Database;
import dev.vestibule.project.DeletedProjectStore;
import dev.vestibule.project.DeletedProjects;
import dev.vestibule.project.SecretResealing;
import dev.vestibule.server.MaintenanceVerticle;
import dev.vestibule.server.MaintenanceVerticle.Round;
import dev.vestibule.session.ExpiredSessions;
import dev.vestibule.token.KeyRotation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * What is done besides requests: removes what is past its time or deleted, rotates signing keys, seals anew, and writes
 * down when API keys were used.
 */
final class Maintenance {
    private static final Duration KEY_CHECK = Duration.ofHours(1);

    private Maintenance() {}

    static MaintenanceVerticle of(App app, Database database, KeyRotation rotation) {
        var settings = app.settings;
        var sweep = settings.sessions().sweepInterval();
        var projects = settings.projects();
        Supplier<Future<Void>> keyUses = () -> app.keyUses.flush(database.writes());
        var sessions = new ExpiredSessions(database, app.sessions, app.events, app.clock);
        var failures = app.passwords(database).failures();
        var codes = app.mails.codes();
        var deliveries = app.webhooks.purge(database, app.clock);
        var deleted = new DeletedProjects(database, new DeletedProjectStore(), DeletedProjects.BATCH);
        var secrets = new SecretResealing(
                database,
                List.of(app.providers.sealedSecrets(), app.webhooks.sealedSecrets(), app.oauth.sealedSecrets()));
        return new MaintenanceVerticle(
                List.of(
                        Round.every(sweep, "removing expired sessions", sessions::purge),
                        Round.every(sweep, "forgetting failed sign ins", failures::purge),
                        Round.every(sweep, "forgetting old codes", () -> codes.purge(database)),
                        Round.every(sweep, "removing old deliveries", deliveries::run),
                        Round.every(sweep, "forgetting sign ins with providers", () -> app.oauth.purge(database)),
                        Round.every(KEY_CHECK, "rotating signing keys", rotation::run),
                        Round.fromTheStart(KEY_CHECK, "sealing secrets anew", secrets::run),
                        Round.every(projects.keyUseInterval(), "writing when keys were used", keyUses),
                        Round.every(
                                projects.deletionInterval(), "removing the rows of deleted projects", deleted::purge)),
                keyUses);
    }
}
