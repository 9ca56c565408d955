package dev.vestibule.journal;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event of a project, in the form that webhook endpoints receive.
 *
 * @param data the object after the change, or before it if it was deleted
 * @param endedSession the session whose clients learn of it too; null for nearly all events
 * @param toldClient a client that learns of it too; null for nearly all events
 */
public record Event(
        UUID id,
        String type,
        ProjectId projectId,
        Instant timestamp,
        Object data,
        @JsonIgnore @Nullable UUID endedSession,
        @JsonIgnore @Nullable String toldClient) {
    /**
     * An event that is not recorded yet: being recorded gives it its id and its time, in the order in which things
     * happened. Leaves out the details that events of its kind do not have.
     */
    public record Draft(EventKind kind, Subject subject, Map<String, ?> details) {
        Event at(Instant now) {
            var data = new LinkedHashMap<>(subject.data());
            var name = kind.detail();
            var detail = name == null ? null : details.get(name);
            if (detail != null) {
                data.put(name, detail);
            }
            return new Event(
                    UuidCreator.getTimeOrderedEpoch(),
                    kind.text(),
                    subject.projectId(),
                    now,
                    data,
                    subject.endedSession(),
                    subject.toldClient());
        }
    }

    /** An event without data, sent when an owner tests an endpoint; endpoints cannot subscribe to it. */
    public static Event test(ProjectId project, Instant now) {
        return new Event(UuidCreator.getTimeOrderedEpoch(), "webhook.test", project, now, Map.of(), null, null);
    }
}
