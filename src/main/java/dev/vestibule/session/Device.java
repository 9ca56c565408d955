package dev.vestibule.session;

import org.jspecify.annotations.Nullable;

/** Where a sign in comes from, as far as the request tells. */
public record Device(
        @Nullable String userAgent,
        @Nullable String ipAddress,
        @Nullable String country) {}
