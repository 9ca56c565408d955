package dev.vestibule.webhook;

import dev.vestibule.access.Floor;
import dev.vestibule.config.WebhookSettings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.database.Database;
import dev.vestibule.journal.JournalModule;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.project.ProjectChanges;
import dev.vestibule.project.SealedSecrets;
import dev.vestibule.project.statistics.Activity;
import dev.vestibule.webhook.delivery.Deliverer;
import dev.vestibule.webhook.delivery.DeliveryPurge;
import dev.vestibule.webhook.delivery.DeliverySender;
import dev.vestibule.webhook.delivery.DeliverySigning;
import dev.vestibule.webhook.delivery.LogoutMessages;
import dev.vestibule.webhook.delivery.ResultWriter;
import dev.vestibule.webhook.delivery.RetrySchedule;
import dev.vestibule.webhook.delivery.WebhookVerticle;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Builds the endpoints of webhooks, the log of their deliveries and what delivers. */
public final class WebhookModule {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
    private static final int BODY_LIMIT = 64 * 1024; // a longer response closes its connection

    private final Floor floor;
    private final Activity activity;
    private final WebhookSettings settings;
    private final Sealer sealer;
    public final WebhookStore endpoints;
    public final WebhookHandler endpointOperations;
    public final DeliveryHandler deliveryOperations;

    public WebhookModule(Floor floor, JournalModule journal) {
        this.floor = floor;
        this.activity = journal.activity;
        this.settings = floor.settings().webhooks();
        this.sealer = sealer(floor.masterKeys());
        this.endpoints = new WebhookStore(sealer);
        var database = floor.database();
        var log = new DeliveryLogStore();
        this.endpointOperations = new WebhookHandler(
                database,
                new ProjectChanges(database, floor.feed()),
                endpoints,
                log,
                new TargetCheck(client(), settings.allowPrivateTargets()),
                settings.maxEndpoints(),
                journal.journal,
                floor.clock());
        this.deliveryOperations = new DeliveryHandler(database, endpoints, log, journal.journal, floor.clock());
    }

    /**
     * Allows as many connections to a host as attempts, because endpoints may share a host and one of them may hang.
     */
    private OutboundClient client() {
        return new OutboundClient(
                floor.vertx(),
                new OutboundClient.Limits(
                        CONNECT_LIMIT, settings.timeout(), BODY_LIMIT, settings.inFlight(), KEEP_ALIVE),
                settings.allowPrivateTargets());
    }

    /** What seals signing secrets. */
    public static Sealer sealer(MasterKeys masterKeys) {
        return new Sealer(masterKeys, "webhook secrets");
    }

    /** The signing secrets, to be sealed again when the master secret changes. */
    public SealedSecrets sealedSecrets() {
        return new SealedSecrets(
                "webhook endpoints",
                WebhookStore.SEALED,
                true,
                sealer,
                (project, webhook) -> SigningSecret.context(project, webhook.getUUID(0)));
    }

    /**
     * Sends the waiting deliveries of the database. When it stops, attempts in flight have as long to end as requests.
     */
    public WebhookVerticle verticle(Database database, LogoutMessages logouts) {
        return new WebhookVerticle(
                () -> deliverer(database, logouts),
                settings.pollInterval(),
                floor.settings().http().shutdownLimit());
    }

    private Deliverer deliverer(Database database, LogoutMessages logouts) {
        var meters = floor.meters().webhooks;
        var schedule = new RetrySchedule(() -> ThreadLocalRandom.current().nextDouble());
        var disableAfter = Duration.ofDays(settings.disableDays());
        return new Deliverer(
                floor.vertx(),
                database,
                floor.feed(),
                new DeliverySender(client(), new DeliverySigning(sealer), logouts, floor.clock()),
                new ResultWriter(
                        schedule,
                        database,
                        new ProjectChanges(database, floor.feed()),
                        disableAfter,
                        meters,
                        activity,
                        floor.clock()),
                settings,
                meters,
                floor.clock());
    }

    public DeliveryPurge purge(Database database) {
        return new DeliveryPurge(database, Duration.ofDays(settings.retentionDays()), floor.clock());
    }
}
