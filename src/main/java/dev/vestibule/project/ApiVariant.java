package dev.vestibule.project;

import java.time.Duration;

/** The two variants of the public endpoints: A is called with an API key, B with a project id in the body. */
public enum ApiVariant {
    A(Duration.ofMinutes(15)),
    B(Duration.ofHours(1));

    private final Duration accessTokenTtl;

    ApiVariant(Duration accessTokenTtl) {
        this.accessTokenTtl = accessTokenTtl;
    }

    /** The lifetime of access tokens in a project that has not set its own. */
    public Duration accessTokenTtl() {
        return accessTokenTtl;
    }
}
