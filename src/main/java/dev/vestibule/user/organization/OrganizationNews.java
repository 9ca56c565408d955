package dev.vestibule.user.organization;

import dev.vestibule.journal.Subject;
import dev.vestibule.journal.Target;
import dev.vestibule.project.ProjectId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An organization as an event tells of it, with the member or invitation that the event is about. */
record OrganizationNews(
        Organization organization,
        @Nullable OrganizationMember member,
        @Nullable OrganizationInvitation invitation) implements Subject {
    static OrganizationNews of(Organization organization) {
        return new OrganizationNews(organization, null, null);
    }

    static OrganizationNews of(Organization organization, OrganizationMember member) {
        return new OrganizationNews(organization, member, null);
    }

    static OrganizationNews of(Organization organization, OrganizationInvitation invitation) {
        return new OrganizationNews(organization, null, invitation);
    }

    @Override
    public ProjectId projectId() {
        return organization.projectId();
    }

    @Override
    public Target target() {
        return Target.organization(organization.id().value());
    }

    @Override
    public Map<String, Object> data() {
        var data = new LinkedHashMap<String, Object>();
        data.put("organization", organization);
        if (member != null) {
            data.put("member", member);
        }
        if (invitation != null) {
            data.put("invitation", invitation);
        }
        return data;
    }
}
