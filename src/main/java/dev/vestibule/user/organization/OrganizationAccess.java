package dev.vestibule.user.organization;

import dev.vestibule.project.OrganizationRoles;
import org.jspecify.annotations.Nullable;

/**
 * An organization, and what a caller can do in it.
 *
 * @param role null for management
 */
public record OrganizationAccess(
        Organization organization,
        OrganizationRoles roles,
        @Nullable String role) {
    /** A 403 without the permission. */
    public OrganizationAccess require(String permission) {
        if (role != null && !roles.permissionsOf(role).contains(permission)) {
            throw OrganizationErrors.notAllowed(permission);
        }
        return this;
    }

    /** A 403 for a role that the caller can neither give nor take away. */
    public void requireCanGive(String other) {
        if (role != null && !roles.canGive(role, other)) {
            throw OrganizationErrors.beyondOwnRole(other);
        }
    }
}
