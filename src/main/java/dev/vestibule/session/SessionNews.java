package dev.vestibule.session;

import dev.vestibule.journal.Event;
import dev.vestibule.journal.Subject;
import dev.vestibule.journal.Target;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A session as an event tells of it: with its user if it is new. */
record SessionNews(
        ProjectId projectId,
        @Nullable User user,
        Session session,
        @Nullable EndReason end) implements Subject {
    static SessionNews opened(User user, Session session) {
        return new SessionNews(user.projectId(), user, session, null);
    }

    /** {@code session.ended} or {@code session.revoked}, depending on the reason. */
    static Event.Draft ended(ProjectId project, Session session, EndReason reason) {
        return new Event.Draft(
                reason.kind(), new SessionNews(project, null, session, reason), Map.of("reason", reason));
    }

    @Override
    public Target target() {
        return Target.session(session.id().value());
    }

    /** One that expires leaves its clients as they are: their tokens expire too, or are offline. */
    @Override
    public @Nullable UUID endedSession() {
        return end == null || end == EndReason.EXPIRED ? null : session.id().value();
    }

    @Override
    public Map<String, Object> data() {
        var data = new LinkedHashMap<String, Object>();
        if (user != null) {
            data.put("user", user);
        }
        data.put("session", session);
        return data;
    }
}
