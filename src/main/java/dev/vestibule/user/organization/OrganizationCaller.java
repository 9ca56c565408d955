package dev.vestibule.user.organization;

import dev.vestibule.journal.Trail;
import dev.vestibule.project.Project;
import dev.vestibule.user.UserId;
import org.jspecify.annotations.Nullable;

/**
 * The user, or management, who acts on organizations of a project.
 *
 * @param user who needs a permission in the organization; null for management, which needs none
 */
public record OrganizationCaller(Project project, @Nullable UserId user, Trail trail) {
    boolean isManagement() {
        return user == null;
    }
}
