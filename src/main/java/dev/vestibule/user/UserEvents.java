package dev.vestibule.user;

import dev.vestibule.event.Event;
import dev.vestibule.event.EventKind;
import java.time.Instant;

/** Creates the events of users. */
public final class UserEvents {
    private record Data(User user) {}

    private UserEvents() {}

    /** An event of one of the {@code user.*} kinds, with the user as it is after the change. */
    public static Event of(EventKind kind, User user, Instant now) {
        return Event.of(kind, user.projectId(), new Data(user), now);
    }
}
