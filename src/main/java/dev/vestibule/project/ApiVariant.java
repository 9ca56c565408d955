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

    /** The life of an access token while the project never set one. */
    public Duration accessTokenTtl() {
        return accessTokenTtl;
    }
}
