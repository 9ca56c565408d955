package dev.vestibule.webhook;

import dev.vestibule.config.WebhookSettings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.metrics.WebhookMeters;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.webhook.delivery.Deliverer;
import dev.vestibule.webhook.delivery.DeliveryPurge;
import dev.vestibule.webhook.delivery.DeliverySender;
import dev.vestibule.webhook.delivery.DeliverySigning;
import dev.vestibule.webhook.delivery.ResultWriter;
import dev.vestibule.webhook.delivery.RetrySchedule;
import dev.vestibule.webhook.delivery.WebhookVerticle;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Builds what this package offers, from one set of collaborators. */
public final class WebhookModule {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
    private static final int BODY_LIMIT = 64 * 1024; // a connection on which more comes is not used again

    private final Vertx vertx;
    private final WebhookSettings settings;
    private final Sealer sealer;
    private final WebhookStore endpoints;
    private final DeliveryLogStore log = new DeliveryLogStore();
    private final EventOutbox outbox;
    private final TargetCheck targets;

    public WebhookModule(Vertx vertx, WebhookSettings settings, MasterKeys masterKeys) {
        this.vertx = vertx;
        this.outbox = new EventOutbox(vertx);
        this.settings = settings;
        this.sealer = new Sealer(masterKeys, "webhook secrets");
        this.endpoints = new WebhookStore(sealer);
        this.targets = new TargetCheck(client(), settings.allowPrivateTargets());
    }

    /** As many connections to a host as there are attempts: many endpoints may share one, and one of them hang. */
    private OutboundClient client() {
        return new OutboundClient(
                vertx,
                new OutboundClient.Limits(
                        CONNECT_LIMIT, settings.timeout(), BODY_LIMIT, settings.inFlight(), KEEP_ALIVE),
                settings.allowPrivateTargets());
    }

    public WebhookStore endpoints() {
        return endpoints;
    }

    /** Most endpoints of one project. */
    public int maxEndpoints() {
        return settings.maxEndpoints();
    }

    public DeliveryLogStore log() {
        return log;
    }

    public EventOutbox outbox() {
        return outbox;
    }

    public TargetCheck targets() {
        return targets;
    }

    /** What is to be sealed anew after a change of the master secret. */
    public SealedSecrets sealedSecrets() {
        return new SealedSigningSecretStore(sealer);
    }

    /** Delivers what waits in the database; when it is stopped, attempts under way have so long to end. */
    public WebhookVerticle verticle(
            Database database, ChangeFeed feed, WebhookMeters meters, Clock clock, Duration stopLimit) {
        return new WebhookVerticle(() -> deliveries(database, feed, meters, clock), settings.pollInterval(), stopLimit);
    }

    private Deliverer deliveries(Database database, ChangeFeed feed, WebhookMeters meters, Clock clock) {
        var schedule = new RetrySchedule(() -> ThreadLocalRandom.current().nextDouble());
        var disableAfter = Duration.ofDays(settings.disableDays());
        return new Deliverer(
                vertx,
                database,
                feed,
                new DeliverySender(client(), new DeliverySigning(sealer), clock),
                new ResultWriter(schedule, database, new ProjectChanges(database, feed), disableAfter, meters, clock),
                settings,
                meters,
                clock);
    }

    public DeliveryPurge purge(Database database, Clock clock) {
        return new DeliveryPurge(database, Duration.ofDays(settings.retentionDays()), clock);
    }
}
