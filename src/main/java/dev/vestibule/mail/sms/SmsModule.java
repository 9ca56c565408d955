package dev.vestibule.mail.sms;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.config.SmsSettings;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.crypto.WebhookKey;
import dev.vestibule.database.Database;
import dev.vestibule.database.OutboxVerticle;
import dev.vestibule.outbound.Destination;
import dev.vestibule.outbound.OutboundClient;
import dev.vestibule.session.KnownNetworks;
import dev.vestibule.telemetry.metrics.SmsMeters;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Builds the public parts of this package from one set of dependencies. */
public final class SmsModule {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
    private static final int BODY_LIMIT = 16 * 1024; // of a response, which nobody reads
    private static final boolean ALLOWS_PRIVATE = true;

    private final Vertx vertx;
    private final SmsSettings settings;
    private final SmsMeters meters;
    private final Clock clock;
    private final SmsCodes codes;

    public SmsModule(
            Vertx vertx,
            SmsSettings settings,
            LimitSettings limits,
            MasterKeys masterKeys,
            KnownNetworks networks,
            SmsMeters meters,
            Clock clock) {
        this.vertx = vertx;
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
        this.codes = new SmsCodes(
                vertx,
                masterKeys,
                new SmsNumbers(settings.countries()),
                new SmsBudget(masterKeys, limits, settings, meters, clock),
                limits,
                networks,
                settings.url().isPresent(),
                clock);
    }

    public SmsCodes codes() {
        return codes;
    }

    /** Sends the waiting SMS; empty if the operator has configured no endpoint. */
    public Optional<OutboxVerticle> verticle(Database database) {
        return settings.url()
                .map(url -> new OutboxVerticle(
                        "SMS", SmsCodes.WAKE_UP, () -> delivery(database, url), settings.pollInterval()));
    }

    private SmsDelivery delivery(Database database, URI url) {
        var client = new OutboundClient(
                vertx,
                new OutboundClient.Limits(
                        CONNECT_LIMIT, settings.timeout(), BODY_LIMIT, settings.inFlight(), KEEP_ALIVE),
                ALLOWS_PRIVATE);
        var key = WebhookKey.ofText(settings.secret().orElseThrow().reveal());
        var endpoint = new SmsEndpoint(client, Destination.of(url), key, clock);
        return new SmsDelivery(database, codes, endpoint, settings, meters, clock);
    }
}
