package dev.vestibule.oauth.identity;

import dev.vestibule.journal.event.Event;
import dev.vestibule.journal.event.EventKind;
import dev.vestibule.user.User;
import java.time.Instant;

/** The events for a provider that was linked to a user, or unlinked. */
public final class ProviderEvents {
    private record Data(User user, String provider) {}

    private ProviderEvents() {}

    public static Event of(EventKind kind, User user, String provider, Instant now) {
        return Event.of(kind, user.projectId(), new Data(user, provider), now);
    }
}
