package dev.vestibule.session;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether an account has signed in from a network, or by a device of that name, before. */
final class SignInPlace {
    private SignInPlace() {}

    /**
     * The user agents are those of the account's other sessions, an empty one where a session has none; null where the
     * network is known, or nothing is known of the account that a first sign in could differ from.
     */
    static boolean isNew(Device device, @Nullable List<@Nullable String> userAgents) {
        if (userAgents == null) {
            return false;
        }
        var name = name(device.userAgent());
        return userAgents.stream().map(SignInPlace::name).noneMatch(name::equals);
    }

    /** Not the user agent itself: a browser that was updated is the same device. */
    private static String name(@Nullable String userAgent) {
        return Optional.ofNullable(userAgent)
                .filter(text -> !text.isEmpty())
                .map(DeviceName::of)
                .orElse("");
    }
}
