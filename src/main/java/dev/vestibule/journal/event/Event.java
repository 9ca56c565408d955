package dev.vestibule.journal.event;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.project.ProjectId;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * An event of a project, in the form that webhook endpoints receive.
 *
 * @param data the object after the change, or before it if it was deleted
 */
public record Event(UUID id, String type, ProjectId projectId, Instant timestamp, Object data) {
    /** The data is any object that Jackson can write; the package that creates the event defines it. */
    public static Event of(EventKind kind, ProjectId project, Object data, Instant now) {
        return new Event(UuidCreator.getTimeOrderedEpoch(), kind.text(), project, now, data);
    }

    /** An event without data, sent when an owner tests an endpoint; endpoints cannot subscribe to it. */
    public static Event test(ProjectId project, Instant now) {
        return new Event(UuidCreator.getTimeOrderedEpoch(), "webhook.test", project, now, Map.of());
    }
}
