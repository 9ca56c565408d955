package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Meters of mails, or of codes by SMS: what is sent, and what is refused. */
public final class MessageMeters {
    private final MeterRegistry registry;
    private final Counter sent;
    private final Counter failed;
    private final Counter givenUp;
    private final Counter spent;
    private final Map<String, Long> waiting = new ConcurrentHashMap<>();
    private final String prefix;
    private final String refusals;

    private MessageMeters(
            MeterRegistry registry,
            String kind,
            String many,
            String one,
            String receiver,
            String holder,
            String refusals) {
        this.registry = registry;
        this.prefix = "vestibule." + kind + ".";
        this.refusals = refusals + " because a budget of the day was spent";
        var capital = many.equals("mails") ? "Mails" : many;
        sent = counter("sent", capital + " that " + receiver + " accepted");
        failed = counter("failed", "Attempts to send " + one + " that failed");
        givenUp = counter("given_up", capital + " that were dropped because they could not be sent");
        spent = counter("project_budgets_spent", "Projects that spent their " + many + " of a day");
        Gauge.builder(
                        prefix + "waiting",
                        waiting,
                        counts -> counts.values().stream()
                                .mapToLong(count -> count)
                                .sum())
                .description(capital + " of all nodes that wait to be sent, as this node last counted them")
                .register(registry);
        for (var budget : List.of(holder, "network", "project")) {
            refused(budget);
        }
    }

    static MessageMeters ofMails(MeterRegistry registry) {
        return new MessageMeters(
                registry, "mail", "mails", "a mail", "the SMTP server", "address", "Mails that were not sent");
    }

    static MessageMeters ofSms(MeterRegistry registry) {
        return new MessageMeters(
                registry,
                "sms",
                "SMS",
                "an SMS",
                "the operator's endpoint",
                "number",
                "Requests for an SMS that were refused");
    }

    private Counter counter(String name, String description) {
        return Counter.builder(prefix + name).description(description).register(registry);
    }

    private Counter refused(String budget) {
        return Counter.builder(prefix + "refused")
                .description(refusals)
                .tag("budget", budget)
                .register(registry);
    }

    /** A message was refused by the budget of an address or number, a network or a project. */
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

    /** How many wait in one of the databases. */
    public void waiting(String database, long count) {
        waiting.put(database, count);
    }
}
