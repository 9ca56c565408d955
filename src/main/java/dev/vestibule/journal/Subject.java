package dev.vestibule.journal;

import dev.vestibule.project.ProjectId;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The user, session or other thing that an event is about. */
public interface Subject {
    ProjectId projectId();

    /** The target in the audit log. */
    Target target();

    /** The data of webhook events: any objects that Jackson can write, by their names in the payload. */
    Map<String, Object> data();

    /** The session that ended, if its clients have to be told; null for nearly all events. */
    default @Nullable UUID endedSession() {
        return null;
    }

    /** A client that has to be told of it, though no session ended; null for nearly all events. */
    default @Nullable String toldClient() {
        return null;
    }
}
