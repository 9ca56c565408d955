package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/** Meters of codes by SMS: what is sent, and what is refused. */
public final class SmsMeters {
    private final MeterRegistry registry;
    private final Counter sent;
    private final Counter failed;
    private final Counter givenUp;
    private final Counter spent;
    private final AtomicLong waiting = new AtomicLong();

    SmsMeters(MeterRegistry registry) {
        this.registry = registry;
        sent = Counter.builder("vestibule.sms.sent")
                .description("SMS that the operator's endpoint accepted")
                .register(registry);
        failed = Counter.builder("vestibule.sms.failed")
                .description("Attempts to send an SMS that failed")
                .register(registry);
        givenUp = Counter.builder("vestibule.sms.given_up")
                .description("SMS that were dropped because they could not be sent")
                .register(registry);
        spent = Counter.builder("vestibule.sms.project_budgets_spent")
                .description("Projects that spent their SMS of a day")
                .register(registry);
        Gauge.builder("vestibule.sms.waiting", waiting, AtomicLong::get)
                .description("SMS of all nodes that wait to be sent, as this node last counted them")
                .register(registry);
        for (var budget : new String[] {"number", "network", "project"}) {
            refused(budget);
        }
    }

    private Counter refused(String budget) {
        return Counter.builder("vestibule.sms.refused")
                .description("Requests for an SMS that were refused because a budget of the day was spent")
                .tag("budget", budget)
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

    /** A request was refused by the budget of a number, a network or a project. */
    public void overBudget(String budget) {
        refused(budget).increment();
    }

    /** A project has spent its budget of the day. */
    public void spent() {
        spent.increment();
    }
}
