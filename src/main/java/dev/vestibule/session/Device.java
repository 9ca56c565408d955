package dev.vestibule.session;

import org.jspecify.annotations.Nullable;

/** The device of a sign in, as far as the request shows it. */
public record Device(
        @Nullable String userAgent,
        @Nullable String ipAddress,
        @Nullable String country) {
    /** For what management did, and its owner must not learn from where. */
    public static final Device UNKNOWN = new Device(null, null, null);
}
