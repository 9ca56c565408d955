package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** Meters of mail delivery. */
public final class MailMeters {
    private final MeterRegistry registry;
    private final Counter sent;
    private final Counter failed;
    private final Counter givenUp;
    private final Counter spent;
    private final AtomicLong waiting = new AtomicLong();

    MailMeters(MeterRegistry registry) {
        this.registry = registry;
        sent = Counter.builder("vestibule.mail.sent")
                .description("Mails that the SMTP server accepted")
                .register(registry);
        failed = Counter.builder("vestibule.mail.failed")
                .description("Attempts to send a mail that failed")
                .register(registry);
        givenUp = Counter.builder("vestibule.mail.given_up")
                .description("Mails that were dropped because they could not be sent")
                .register(registry);
        spent = Counter.builder("vestibule.mail.project_budgets_spent")
                .description("Projects that spent their mails of a day")
                .register(registry);
        for (var budget : new String[] {"address", "network", "project"}) {
            refused(budget);
        }
        Gauge.builder("vestibule.mail.waiting", waiting, AtomicLong::get)
                .description("Mails of all nodes that wait to be sent, as this node last counted them")
                .register(registry);
    }

    private Counter refused(String budget) {
        return Counter.builder("vestibule.mail.refused")
                .description("Mails that were not sent because a budget of the day was spent")
                .tag("budget", budget)
                .register(registry);
    }

    /** A mail was refused by the budget of an address, a network or a project. */
    public void overBudget(String budget) {
        refused(budget).increment();
    }

    /** A project has spent its budget of the day. */
    public void spent() {
        spent.increment();
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
