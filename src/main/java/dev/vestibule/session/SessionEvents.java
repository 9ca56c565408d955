package dev.vestibule.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.journal.event.Event;
import dev.vestibule.journal.event.EventKind;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Creates the events of sessions. */
final class SessionEvents {
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Data(
            @Nullable User user, Session session, @Nullable EndReason reason) {}

    private SessionEvents() {}

    static Event created(User user, Session session, Instant now) {
        return Event.of(EventKind.SESSION_CREATED, user.projectId(), new Data(user, session, null), now);
    }

    /** {@code session.ended} or {@code session.revoked}, depending on the reason. */
    static Event ended(ProjectId project, Session session, EndReason reason, Instant now) {
        return Event.of(reason.kind(), project, new Data(null, session, reason), now);
    }
}
