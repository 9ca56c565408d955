package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** Meters of mail delivery. */
public final class MailMeters {
    private final Counter sent;
    private final Counter failed;
    private final Counter givenUp;
    private final AtomicLong waiting = new AtomicLong();

    MailMeters(MeterRegistry registry) {
        sent = Counter.builder("vestibule.mail.sent")
                .description("Mails that the SMTP server accepted")
                .register(registry);
        failed = Counter.builder("vestibule.mail.failed")
                .description("Attempts to send a mail that failed")
                .register(registry);
        givenUp = Counter.builder("vestibule.mail.given_up")
                .description("Mails that were dropped because they could not be sent")
                .register(registry);
        Gauge.builder("vestibule.mail.waiting", waiting, AtomicLong::get)
                .description("Mails of all nodes that wait to be sent, as this node last counted them")
                .register(registry);
    }

    public void sent() {
        sent.increment();
    }

    public void failed() {
        failed.increment();
    }

    public void gaveUp() {
        givenUp.increment();
    }

    public void waiting(long count) {
        waiting.set(count);
    }
}
