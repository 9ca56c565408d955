package dev.vestibule.telemetry.metrics;

import dev.vestibule.crypto.HashingPool.HashingMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.IntSupplier;

/** The server's own meters; Vert.x and Micrometer provide those of HTTP, connection pools and the JVM. */
public final class Meters implements HashingMeter {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(25), Duration.ofMillis(50),
        Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1),
        Duration.ofSeconds(2), Duration.ofSeconds(5)
    };

    private final MeterRegistry registry;
    private final Timer waited;
    private final Timer hashed;
    private final Counter rejected;
    private final Counter tooLarge;
    public final MessageMeters mail;
    public final WebhookMeters webhooks;
    public final OauthMeters oauth;
    public final GrantMeters grants;
    public final PasswordMeters passwords;
    public final HttpMeters http;
    public final NodeMeters node;
    public final AuditMeters audit;
    public final TokenMeters tokens;
    public final FactorMeters factors;
    public final MessageMeters sms;
    public final CaptchaMeters captcha;

    public Meters(MeterRegistry registry) {
        this.registry = registry;
        this.mail = MessageMeters.ofMails(registry);
        this.webhooks = new WebhookMeters(registry);
        this.oauth = new OauthMeters(registry);
        this.grants = new GrantMeters(registry);
        this.passwords = new PasswordMeters(registry);
        this.http = new HttpMeters(registry);
        this.node = new NodeMeters(registry);
        this.audit = new AuditMeters(registry);
        this.tokens = new TokenMeters(registry);
        this.factors = new FactorMeters(registry);
        this.sms = MessageMeters.ofSms(registry);
        this.captcha = new CaptchaMeters(registry);
        this.waited = Timer.builder("vestibule.hashing.wait")
                .description("Time that a password waited for a hashing thread")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        this.hashed = Timer.builder("vestibule.hashing.time")
                .description("Time that hashing a password took")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        this.rejected = Counter.builder("vestibule.hashing.refused")
                .description("Passwords rejected because the queue was full")
                .register(registry);
        this.tooLarge = Counter.builder("vestibule.hashing.too.large")
                .description(
                        "Passwords not verified because their imported hash needs more memory than there is for it")
                .register(registry);
    }

    @Override
    public void register(IntSupplier queueLength, IntSupplier activeThreads) {
        Gauge.builder("vestibule.hashing.queue", queueLength, IntSupplier::getAsInt)
                .description("Passwords that wait for a hashing thread")
                .strongReference(true)
                .register(registry);
        Gauge.builder("vestibule.hashing.active", activeThreads, IntSupplier::getAsInt)
                .description("Passwords being hashed")
                .strongReference(true)
                .register(registry);
    }

    @Override
    public void hashed(Duration waitedFor, Duration hashedFor) {
        waited.record(waitedFor);
        hashed.record(hashedFor);
    }

    @Override
    public void rejected() {
        rejected.increment();
    }

    @Override
    public void tooLarge() {
        tooLarge.increment();
    }
}
