package dev.vestibule.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.EndReason;
import dev.vestibule.session.Session;
import dev.vestibule.user.User;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One thing that happened in a project, as its endpoints are told of it. */
public record Event(UUID id, String type, ProjectId projectId, Instant timestamp, Data data) {
    /** What it happened to, as it was afterwards; of what was removed, as it was before. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Data(
            @Nullable User user,
            @Nullable Session session,
            @Nullable String provider,
            @Nullable EndReason reason) {}

    private static Event of(EventKind kind, ProjectId project, Data data, Instant now) {
        return new Event(UuidCreator.getTimeOrderedEpoch(), kind.text(), project, now, data);
    }

    /** Of no change and no kind: what an endpoint is tried with. */
    public static Event test(ProjectId project, Instant now) {
        var nothing = new Data(null, null, null, null);
        return new Event(UuidCreator.getTimeOrderedEpoch(), "webhook.test", project, now, nothing);
    }

    public static Event ofUser(EventKind kind, User user, Instant now) {
        return of(kind, user.projectId(), new Data(user, null, null, null), now);
    }

    public static Event sessionCreated(User user, Session session, Instant now) {
        return of(EventKind.SESSION_CREATED, user.projectId(), new Data(user, session, null, null), now);
    }

    /** Of either kind that tells of an end, by its reason. */
    public static Event sessionOver(ProjectId project, Session session, EndReason reason, Instant now) {
        return of(reason.kind(), project, new Data(null, session, null, reason), now);
    }

    /** That the user can sign in by this provider, or no longer. */
    public static Event ofProvider(EventKind kind, User user, String provider, Instant now) {
        return of(kind, user.projectId(), new Data(user, null, provider, null), now);
    }
}
