package dev.vestibule.telemetry.metrics;

import dev.vestibule.error.ApiException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** Meters of sign ins with identity providers, by provider. */
public final class OauthMeters {
    private final MeterRegistry registry;

    OauthMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    public void signedIn(String provider) {
        Counter.builder("vestibule.oauth.signins")
                .description("Sign ins with an identity provider")
                .tag("provider", provider)
                .register(registry)
                .increment();
    }

    /**
     * The tag {@code reason} is the error status that the user gets, such as {@code bad_gateway} if the provider is
     * down.
     */
    public void failed(String provider, Throwable failure) {
        Counter.builder("vestibule.oauth.failures")
                .description("Sign ins with an identity provider that failed after the browser had come back")
                .tag("provider", provider)
                .tag("reason", reason(failure))
                .register(registry)
                .increment();
    }

    private static String reason(Throwable failure) {
        return failure instanceof ApiException known ? known.status().name().toLowerCase(Locale.ROOT) : "internal";
    }
}
