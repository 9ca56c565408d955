package dev.vestibule.session;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a sign in comes from a new network and a new device. */
final class SignInLocation {
    private SignInLocation() {}

    /**
     * The user agents are those of the account's other sessions, an empty string for a session without one; the list is
     * null if the network is known, or if the account has no history to compare with.
     */
    static boolean isNew(Device device, @Nullable List<@Nullable String> userAgents) {
        if (userAgents == null) {
            return false;
        }
        var name = name(device.userAgent());
        return userAgents.stream().map(SignInLocation::name).noneMatch(name::equals);
    }

    /** The name of the device and not the user agent itself, since a browser that was updated is the same device. */
    private static String name(@Nullable String userAgent) {
        return Optional.ofNullable(userAgent)
                .filter(text -> !text.isEmpty())
                .map(DeviceName::of)
                .orElse("");
    }
}
