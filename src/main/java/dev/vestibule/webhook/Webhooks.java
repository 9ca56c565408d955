package dev.vestibule.webhook;

import dev.vestibule.config.WebhookSettings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.Sealer;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.project.SealedSecrets;
import io.vertx.core.Vertx;
import java.time.Duration;

/** Builds what this package offers, from one set of collaborators. */
public final class Webhooks {
    private static final OutboundClient.Limits LIMITS = new OutboundClient.Limits(
            Duration.ofSeconds(5), Duration.ofSeconds(15), 64 * 1024, 20, Duration.ofSeconds(60));

    private final WebhookSettings settings;
    private final Sealer sealer;
    private final WebhookStore endpoints;
    private final DeliveryLogStore log = new DeliveryLogStore();
    private final EventOutbox outbox;
    private final Targets targets;

    public Webhooks(Vertx vertx, WebhookSettings settings, MasterKeys masterKeys) {
        this.outbox = new EventOutbox(vertx);
        this.settings = settings;
        this.sealer = new Sealer(masterKeys, "webhook secrets");
        this.endpoints = new WebhookStore(sealer);
        this.targets = new Targets(
                new OutboundClient(vertx, LIMITS, settings.allowPrivateTargets()), settings.allowPrivateTargets());
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

    public Targets targets() {
        return targets;
    }

    /** What is to be sealed anew after a change of the master secret. */
    public SealedSecrets sealedSecrets() {
        return new SealedSigningSecretStore(sealer);
    }
}
