package dev.vestibule.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Meters of captchas, and of disposable email addresses. */
public final class CaptchaMeters {
    /** What became of a request that needed a solution. */
    public enum Outcome {
        SOLVED,
        /** It had no solution. */
        MISSING,
        /** Its solution was wrong, used, too old, or for something else. */
        REFUSED,
        /** The provider did not verify it. */
        UNVERIFIED
    }

    private final Map<Outcome, Counter> outcomes = new EnumMap<>(Outcome.class);
    private final Counter issued;
    private final Counter flagged;
    private final Counter refused;

    CaptchaMeters(MeterRegistry registry) {
        for (var outcome : Outcome.values()) {
            outcomes.put(
                    outcome,
                    Counter.builder("vestibule.captcha.requests")
                            .description("Requests that needed a captcha's solution; unverified: the provider failed")
                            .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        issued = Counter.builder("vestibule.captcha.challenges")
                .description("Proofs of work that were asked for")
                .register(registry);
        flagged = disposable(registry, "flagged");
        refused = disposable(registry, "refused");
    }

    private static Counter disposable(MeterRegistry registry, String outcome) {
        return Counter.builder("vestibule.disposable.emails")
                .description("New accounts with disposable email addresses, as the project's setting wants it")
                .tag("outcome", outcome)
                .register(registry);
    }

    public void needed(Outcome outcome) {
        Objects.requireNonNull(outcomes.get(outcome)).increment();
    }

    public void issued() {
        issued.increment();
    }

    public void flagged() {
        flagged.increment();
    }

    public void refused() {
        refused.increment();
    }
}
