package dev.vestibule.user.organization.scim;

import dev.vestibule.project.ProjectId;
import dev.vestibule.user.organization.OrganizationCaller;
import dev.vestibule.user.organization.OrganizationId;
import dev.vestibule.user.organization.directory.Directory;
import java.util.UUID;

/** The directory that provisions, and the caller as whom it acts on its organization. */
record Provisioner(OrganizationCaller caller, Directory directory) {
    ProjectId project() {
        return caller.project().id();
    }

    OrganizationId organization() {
        return directory.organizationId();
    }

    UUID id() {
        return directory.id();
    }
}
