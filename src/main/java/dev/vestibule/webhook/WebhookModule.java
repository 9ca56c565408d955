package dev.vestibule.webhook;

import dev.vestibule.config.WebhookSettings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.journal.event.EventOutbox;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.project.statistics.Activity;
import dev.vestibule.telemetry.metrics.WebhookMeters;
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

/** Builds the parts of the webhooks: the handlers of each event loop, the deliverer and the purge of its log. */
public final class WebhookModule {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
    private static final int BODY_LIMIT = 64 * 1024; // a longer response closes its connection

    private final Vertx vertx;
    private final WebhookSettings settings;
    private final Sealer sealer;
    private final WebhookStore endpoints;
    private final DeliveryLogStore log = new DeliveryLogStore();
    private final ChangeFeed feed;
    private final EventOutbox outbox;
    private final Activity activity;
    private final Clock clock;
    private final TargetCheck targets;

    public WebhookModule(
            Vertx vertx,
            ChangeFeed feed,
            EventOutbox outbox,
            Activity activity,
            WebhookSettings settings,
            MasterKeys masterKeys,
            Clock clock) {
        this.vertx = vertx;
        this.feed = feed;
        this.outbox = outbox;
        this.activity = activity;
        this.clock = clock;
        this.settings = settings;
        this.sealer = sealer(masterKeys);
        this.endpoints = new WebhookStore(sealer);
        this.targets = new TargetCheck(client(), settings.allowPrivateTargets());
    }

    /**
     * Allows as many connections to a host as attempts, because endpoints may share a host and one of them may hang.
     */
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

    public WebhookHandler endpointOperations(Database database) {
        return new WebhookHandler(
                database,
                new ProjectChanges(database, feed),
                endpoints,
                log,
                targets,
                settings.maxEndpoints(),
                outbox,
                clock);
    }

    public DeliveryHandler deliveryOperations(Database database) {
        return new DeliveryHandler(database, endpoints, log, outbox, clock);
    }

    /** What seals signing secrets. */
    public static Sealer sealer(MasterKeys masterKeys) {
        return new Sealer(masterKeys, "webhook secrets");
    }

    /** The signing secrets, to be sealed again when the master secret changes. */
    public SealedSecrets sealedSecrets() {
        return new SealedSigningSecretStore(sealer);
    }

    /** Sends the waiting deliveries of the database. When it stops, attempts in flight have this long to end. */
    public WebhookVerticle verticle(Database database, WebhookMeters meters, Duration stopLimit) {
        return new WebhookVerticle(() -> deliverer(database, meters), settings.pollInterval(), stopLimit);
    }

    private Deliverer deliverer(Database database, WebhookMeters meters) {
        var schedule = new RetrySchedule(() -> ThreadLocalRandom.current().nextDouble());
        var disableAfter = Duration.ofDays(settings.disableDays());
        return new Deliverer(
                vertx,
                database,
                feed,
                new DeliverySender(client(), new DeliverySigning(sealer), clock),
                new ResultWriter(
                        schedule, database, new ProjectChanges(database, feed), disableAfter, meters, activity, clock),
                settings,
                meters,
                clock);
    }

    public DeliveryPurge purge(Database database) {
        return new DeliveryPurge(database, Duration.ofDays(settings.retentionDays()), clock);
    }
}
