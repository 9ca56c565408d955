package dev.vestibule.user.organization.scim;

import dev.vestibule.project.ProjectId;
import dev.vestibule.user.organization.OrganizationCaller;
import dev.vestibule.user.organization.OrganizationId;
import java.util.UUID;

/**
 * The directory that provisions, and the caller as whom it acts on its organization. What else the directory is may
 * change until the request has the organization's lock: {@link ScimLock}.
 */
record Provisioner(OrganizationCaller caller, OrganizationId organization, UUID id, UUID token) {
    ProjectId project() {
        return caller.project().id();
    }
}
