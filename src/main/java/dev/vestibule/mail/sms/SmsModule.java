package dev.vestibule.mail.sms;

import dev.vestibule.access.Floor;
import dev.vestibule.config.SmsSettings;
import dev.vestibule.crypto.WebhookKey;
import dev.vestibule.database.Database;
import dev.vestibule.database.OutboxVerticle;
import dev.vestibule.outbound.Destination;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.session.SessionModule;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Builds what queues and sends SMS. */
public final class SmsModule {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
    private static final int BODY_LIMIT = 16 * 1024; // of a response, which nobody reads
    private static final boolean ALLOWS_PRIVATE = true;

    private final Floor floor;
    private final SmsSettings settings;
    public final SmsCodes codes;

    public SmsModule(Floor floor, SessionModule sessions) {
        this.floor = floor;
        this.settings = floor.settings().sms();
        var limits = floor.settings().limits();
        this.codes = new SmsCodes(
                floor.vertx(),
                floor.masterKeys(),
                new SmsNumbers(settings.countries()),
                new SmsBudget(floor.masterKeys(), limits, settings, floor.meters().sms, floor.clock()),
                limits,
                sessions.knownNetworks,
                settings.url().isPresent(),
                floor.clock());
    }

    /** Sends the waiting SMS; empty if the operator has configured no endpoint. */
    public Optional<OutboxVerticle> verticle(Database database) {
        return settings.url()
                .map(url -> new OutboxVerticle(
                        "SMS", SmsCodes.WAKE_UP, () -> delivery(database, url), settings.pollInterval()));
    }

    private SmsDelivery delivery(Database database, URI url) {
        var client = new OutboundClient(
                floor.vertx(),
                new OutboundClient.Limits(
                        CONNECT_LIMIT, settings.timeout(), BODY_LIMIT, settings.inFlight(), KEEP_ALIVE),
                ALLOWS_PRIVATE);
        var key = WebhookKey.ofText(settings.secret().orElseThrow().reveal());
        var endpoint = new SmsEndpoint(client, Destination.of(url), key, floor.clock());
        return new SmsDelivery(database, codes, endpoint, settings, floor.meters().sms, floor.clock());
    }
}
