package dev.vestibule.user.organization.scim;

import dev.vestibule.user.organization.Organization;
import dev.vestibule.user.organization.Organizations;
import dev.vestibule.user.organization.directory.Directories;
import dev.vestibule.user.organization.directory.Directory;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;

/**
 * The lock of a directory's organization. A request may have waited for an owner who has revoked the token, switched
 * the directory off, or changed the roles of its groups, so it reads the directory again under the lock.
 */
final class ScimLock {
    private final Organizations organizations;
    private final Directories directories;

    ScimLock(Organizations organizations, Directories directories) {
        this.organizations = organizations;
        this.directories = directories;
    }

    /** What does not change until the transaction ends. */
    record Locked(Organization organization, Directory directory) {}

    /** The refusal of the request's guard if the directory may act no longer. */
    Future<Locked> take(SqlConnection transaction, Provisioner by) {
        return organizations
                .lock(transaction, by.caller(), by.organization())
                .compose(access -> directories
                        .ofToken(transaction, by.project(), by.token())
                        .map(directory -> new Locked(access.organization(), directory)));
    }
}
