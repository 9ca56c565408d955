package dev.vestibule.journal;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * An event of a project, in the form that webhook endpoints receive.
 *
 * @param data the object after the change, or before it if it was deleted
 */
public record Event(UUID id, String type, ProjectId projectId, Instant timestamp, Object data) {
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
            return new Event(UuidCreator.getTimeOrderedEpoch(), kind.text(), subject.projectId(), now, data);
        }
    }

    /** An event without data, sent when an owner tests an endpoint; endpoints cannot subscribe to it. */
    public static Event test(ProjectId project, Instant now) {
        return new Event(UuidCreator.getTimeOrderedEpoch(), "webhook.test", project, now, Map.of());
    }
}
