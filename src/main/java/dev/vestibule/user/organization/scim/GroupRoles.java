package dev.vestibule.user.organization.scim;

import dev.vestibule.json.UnicodeText;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.OrganizationAccess;
import dev.vestibule.user.organization.OrganizationCaller;
import dev.vestibule.user.organization.OrganizationMembers;
import dev.vestibule.user.organization.directory.Directory;
import dev.vestibule.user.organization.scim.ScimLock.Locked;
import dev.vestibule.user.organization.scim.ScimUserStore.Grouped;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Gives members the roles of their groups when these change: of several the one with the most permissions, and the role
 * {@code member} to those who are no longer in any group with a role. Owners, and those who never were in such a group,
 * keep their roles.
 */
public final class GroupRoles {
    private final OrganizationMembers members;
    private final ScimUserStore store = new ScimUserStore();

    public GroupRoles(OrganizationMembers members) {
        this.members = members;
    }

    /** To all users of the directory; the transaction holds the organization's lock. */
    public Future<Void> apply(
            SqlConnection transaction, OrganizationCaller caller, OrganizationAccess access, Directory directory) {
        return apply(transaction, caller, new Locked(access.organization(), directory), null);
    }

    /** To these users, or to all. */
    Future<Void> apply(
            SqlConnection transaction, OrganizationCaller caller, Locked locked, @Nullable List<UserId> users) {
        var byGroup = new HashMap<String, String>();
        locked.directory().groupRoles().forEach((group, role) -> byGroup.put(UnicodeText.lower(group), role));
        if (users != null && (users.isEmpty() || byGroup.isEmpty())) {
            return Future.succeededFuture();
        }
        var roles = caller.project().organizations().roles();
        return store.grouped(
                        transaction,
                        caller.project().id().value(),
                        locked.directory().id(),
                        List.copyOf(byGroup.keySet()),
                        users)
                .compose(found -> {
                    Future<Void> done = Future.succeededFuture();
                    for (var change : changes(found, byGroup, roles).entrySet()) {
                        done = done.compose(
                                before -> give(transaction, caller, locked, change.getKey(), change.getValue()));
                    }
                    return done;
                });
    }

    private static Map<String, List<UserId>> changes(
            List<Grouped> found, Map<String, String> byGroup, OrganizationRoles roles) {
        var changes = new TreeMap<String, List<UserId>>();
        for (var one : found) {
            var role = one.groups().stream()
                    .map(group -> Objects.requireNonNull(byGroup.get(group)))
                    .max(Comparator.<String>comparingInt(
                                    name -> roles.permissionsOf(name).size())
                            .thenComparing(name -> name))
                    .orElse("");
            if (!role.equals(one.groupRole())) {
                changes.computeIfAbsent(role, unknown -> new ArrayList<>()).add(one.user());
            }
        }
        return changes;
    }

    private Future<Void> give(
            SqlConnection transaction, OrganizationCaller caller, Locked locked, String role, List<UserId> users) {
        return store.setGroupRole(
                        transaction,
                        caller.project().id().value(),
                        locked.directory().id(),
                        role,
                        users)
                .compose(set -> members.giveRole(
                        transaction,
                        caller,
                        locked.organization(),
                        users,
                        role.isEmpty() ? OrganizationRoles.MEMBER : role));
    }
}
