package dev.vestibule.authentication.factor;

import dev.vestibule.journal.event.Event;
import dev.vestibule.journal.event.EventKind;
import dev.vestibule.user.User;
import java.time.Instant;

/** The events for a user who has set up a second factor, or no longer has one. */
final class FactorEvents {
    private record Data(User user, String factor) {}

    private FactorEvents() {}

    static Event of(EventKind kind, User user, Instant now) {
        return Event.of(kind, user.projectId(), new Data(user, "totp"), now);
    }
}
