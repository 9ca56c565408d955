package dev.vestibule.session;

import dev.vestibule.journal.Event;
import dev.vestibule.journal.Subject;
import dev.vestibule.journal.Target;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session as an event tells of it: with its user if it is new. */
record SessionNews(ProjectId projectId, @Nullable User user, Session session) implements Subject {
    static SessionNews opened(User user, Session session) {
        return new SessionNews(user.projectId(), user, session);
    }

    /** {@code session.ended} or {@code session.revoked}, depending on the reason. */
    static Event.Draft ended(ProjectId project, Session session, EndReason reason) {
        return new Event.Draft(reason.kind(), new SessionNews(project, null, session), Map.of("reason", reason));
    }

    @Override
    public Target target() {
        return Target.session(session.id().value());
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
