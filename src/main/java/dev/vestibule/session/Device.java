package dev.vestibule.session;

import org.jspecify.annotations.Nullable;

/**
 * The device of a sign in, as far as the request shows it.
 *
 * @param session that its browser has on the hosted page already; null for none, and for every other way to sign in
 */
public record Device(
        @Nullable String userAgent,
        @Nullable String ipAddress,
        @Nullable String country,
        @Nullable SessionId session) {
    /** The device of changes by management, whose place the owner of the account must not learn. */
    public static final Device UNKNOWN = new Device(null, null, null);

    public Device(@Nullable String userAgent, @Nullable String ipAddress, @Nullable String country) {
        this(userAgent, ipAddress, country, null);
    }

    /** This device, in the browser that has this session on the hosted page. */
    public Device in(SessionId browser) {
        return new Device(userAgent, ipAddress, country, browser);
    }
}
