package dev.vestibule.server;

import dev.vestibule.authentication.FailedSignIns;
import dev.vestibule.config.ProjectSettings;
import dev.vestibule.database.Database;
import dev.vestibule.project.DeletedProjects;
import dev.vestibule.project.KeyUses;
import dev.vestibule.provider.SecretRenewal;
import dev.vestibule.session.ExpiredSessions;
import dev.vestibule.token.KeyRotation;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work that no request waits for: removes what is past its time or deleted, rotates signing keys, seals anew, and
 * writes down when API keys were used.
 */
public final class MaintenanceVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(MaintenanceVerticle.class);
    private static final Duration KEY_ROTATION_CHECK = Duration.ofHours(1);

    private final Database database;
    private final ExpiredSessions sessions;
    private final FailedSignIns failures;
    private final Supplier<Future<Void>> codes;
    private final KeyRotation keys;
    private final SecretRenewal secrets;
    private final KeyUses keyUses;
    private final DeletedProjects deletedProjects;
    private final Duration sweepInterval;
    private final ProjectSettings settings;

    public MaintenanceVerticle(
            Database database,
            ExpiredSessions sessions,
            FailedSignIns failures,
            Supplier<Future<Void>> codes,
            KeyRotation keys,
            SecretRenewal secrets,
            KeyUses keyUses,
            DeletedProjects deletedProjects,
            Duration sweepInterval,
            ProjectSettings settings) {
        this.database = database;
        this.sessions = sessions;
        this.failures = failures;
        this.codes = codes;
        this.keys = keys;
        this.secrets = secrets;
        this.keyUses = keyUses;
        this.deletedProjects = deletedProjects;
        this.sweepInterval = sweepInterval;
        this.settings = settings;
    }

    @Override
    public Future<?> start() {
        every(sweepInterval, "removing expired sessions", sessions::purge);
        every(sweepInterval, "forgetting failed sign ins", failures::purge);
        every(sweepInterval, "forgetting old codes", codes);
        every(KEY_ROTATION_CHECK, "rotating signing keys", keys::run);
        round(KEY_ROTATION_CHECK, "sealing provider secrets anew", secrets::run);
        every(settings.keyUseInterval(), "writing when keys were used", this::writeKeyUses);
        every(settings.deletionInterval(), "removing the rows of deleted projects", deletedProjects::purge);
        return Future.succeededFuture();
    }

    /** To be stopped when no request is left that may still use a key. */
    @Override
    public Future<?> stop() {
        return writeKeyUses();
    }

    private Future<Void> writeKeyUses() {
        return keyUses.write(database.writes());
    }

    /** The next round begins an interval after the last has ended, so that rounds never pile up. */
    private void every(Duration interval, String what, Supplier<Future<Void>> round) {
        vertx.setTimer(interval.toMillis(), due -> round(interval, what, round));
    }

    private void round(Duration interval, String what, Supplier<Future<Void>> round) {
        Future.succeededFuture()
                .compose(start -> round.get())
                .onFailure(failure -> LOG.warn("{} failed and is tried again: {}", what, failure.toString()))
                .onComplete(done -> every(interval, what, round));
    }
}
