package dev.vestibule.user;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.journal.event.Event;
import dev.vestibule.journal.event.EventKind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Creates the events of users. */
public final class UserEvents {
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Data(User user, @Nullable String reason) {}

    private UserEvents() {}

    /** An event of one of the {@code user.*} kinds, with the user as it is after the change. */
    public static Event of(EventKind kind, User user, Instant now) {
        return Event.of(kind, user.projectId(), new Data(user, null), now);
    }

    /** With the reason that the application's server gave, if any. */
    static Event banned(User user, @Nullable String reason, Instant now) {
        return Event.of(EventKind.USER_BANNED, user.projectId(), new Data(user, reason), now);
    }
}
