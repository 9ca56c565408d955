package dev.vestibule.user.key;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.user.organization.OrganizationAccess;
import dev.vestibule.user.organization.OrganizationHandler;
import dev.vestibule.user.organization.Organizations;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Objects;

/** API keys of an organization, below the paths of {@link OrganizationHandler}. */
public final class OrganizationKeyHandler {
    private final Database database;
    private final Organizations organizations;
    private final KeyChanges changes;
    private final UserKeyStore store = new UserKeyStore();
    private final RecentSignIn recent;

    OrganizationKeyHandler(Database database, Organizations organizations, KeyChanges changes, Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.changes = changes;
        this.recent = new RecentSignIn(clock);
    }

    /** {@code GET …/api-keys}: all keys of the organization, the oldest first. */
    public Future<Reply> list(ApiRequest request) {
        return organizations
                .find(OrganizationHandler.caller(request), OrganizationHandler.id(request))
                .map(access -> access.require(OrganizationRoles.MANAGE_KEYS))
                .compose(
                        access -> store.list(database.reads(), request.project().id(), owner(request)))
                .map(Reply::ok);
    }

    /** {@code POST …/api-keys}: a new key of the organization, whose text is in the response, this once. */
    public Future<Reply> create(ApiRequest request) {
        request.userIfAny().ifPresent(recent::require);
        var fields = OrganizationHandler.fields(request, changes::read);
        var owner = owner(request);
        return changes.create(
                        request.project(),
                        owner,
                        fields,
                        transaction ->
                                lock(transaction, request).map(access -> requireWithinRole(access, fields.scopes())),
                        (transaction, details) -> request.trail()
                                .record(transaction, Logged.ORGANIZATION_KEY_CREATED, owner.target(), details))
                .map(Reply::created);
    }

    private Future<OrganizationAccess> lock(SqlConnection transaction, ApiRequest request) {
        return organizations
                .lock(transaction, OrganizationHandler.caller(request), OrganizationHandler.id(request))
                .map(access -> access.require(OrganizationRoles.MANAGE_KEYS));
    }

    /** Otherwise a key would do what the member who makes it must not. */
    private static Void requireWithinRole(OrganizationAccess access, List<String> scopes) {
        var role = Objects.requireNonNullElse(access.role(), OrganizationRoles.OWNER);
        if (!access.roles().permissionsOf(role).containsAll(scopes)) {
            throw ApiException.invalid(List.of(new Violation(
                    "scopes",
                    access.role() == null
                            ? "must be permissions that roles of the project have"
                            : "must be permissions that your own role has")));
        }
        return null;
    }

    /** {@code DELETE …/api-keys/:keyId}: ends a key of the organization at once. */
    public Future<Reply> delete(ApiRequest request) {
        return changes.delete(
                        request.project(),
                        request.trail(),
                        owner(request),
                        request.pathId("keyId"),
                        transaction -> lock(transaction, request).mapEmpty(),
                        Logged.ORGANIZATION_KEY_DELETED)
                .map(deleted -> Reply.success());
    }

    private static KeyOwner owner(ApiRequest request) {
        return KeyOwner.of(OrganizationHandler.id(request));
    }
}
