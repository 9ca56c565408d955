package dev.vestibule.authentication.passkey;

import dev.vestibule.journal.event.Event;
import dev.vestibule.journal.event.EventKind;
import dev.vestibule.user.User;
import java.time.Instant;

/** The events for a passkey that was added or removed. */
final class PasskeyEvents {
    private record Data(User user, String factor) {}

    private PasskeyEvents() {}

    static Event of(EventKind kind, User user, Instant now) {
        return Event.of(kind, user.projectId(), new Data(user, "passkey"), now);
    }
}
