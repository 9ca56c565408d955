package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.journal.event.Event;
import dev.vestibule.journal.event.EventKind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Creates the events of organizations. */
final class OrganizationEvents {
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Data(
            Organization organization,
            @Nullable OrganizationMember member,
            @Nullable OrganizationInvitation invitation) {}

    private OrganizationEvents() {}

    static Event of(EventKind kind, Organization organization, Instant now) {
        return Event.of(kind, organization.projectId(), new Data(organization, null, null), now);
    }

    static Event of(EventKind kind, Organization organization, OrganizationMember member, Instant now) {
        return Event.of(kind, organization.projectId(), new Data(organization, member, null), now);
    }

    static Event of(EventKind kind, Organization organization, OrganizationInvitation invitation, Instant now) {
        return Event.of(kind, organization.projectId(), new Data(organization, null, invitation), now);
    }
}
