package dev.vestibule.user.organization.scim;

import com.github.f4b6a3.uuid.UuidCreator;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.scim.ScimGroup.Given;
import dev.vestibule.user.organization.scim.ScimGroup.Members;
import dev.vestibule.user.organization.scim.ScimGroup.Named;
import dev.vestibule.user.organization.scim.ScimGroup.Step;
import dev.vestibule.user.organization.scim.ScimLock.Locked;
import dev.vestibule.user.organization.scim.ScimPatch.Kind;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Maintains groups and what they do to the roles of members, under the organization's lock. */
final class ScimGroups {
    static final int MAX_MEMBERS = 20_000;

    private static final int MAX_GROUPS = 5000;

    private final Database database;
    private final ScimLock lock;
    private final GroupRoles roles;
    private final ScimGroupStore store = new ScimGroupStore();
    private final Clock clock;

    ScimGroups(Database database, ScimLock lock, GroupRoles roles, Clock clock) {
        this.database = database;
        this.lock = lock;
        this.roles = roles;
        this.clock = clock;
    }

    Future<ScimGroup> create(Provisioner by, Given given) {
        var now = clock.instant();
        var group = new ScimGroup(UuidCreator.getTimeOrderedEpoch(), given.name(), given.externalId(), now, now);
        var users = given.members() == null ? List.<UserId>of() : List.copyOf(given.members());
        return database.inTransaction(transaction -> requireUsers(transaction, by, users)
                .compose(known -> lock.take(transaction, by))
                .compose(locked -> store.insert(transaction, by, group, MAX_GROUPS)
                        .map(created -> created.orElseThrow(() -> ScimErrors.tooManyResources("groups", MAX_GROUPS)))
                        .compose(created -> store.add(transaction, by, group.id(), users)
                                .compose(added -> roles.apply(transaction, by.caller(), locked, users))
                                .compose(applied -> record(transaction, by, Logged.GROUP_CREATED, created))
                                .map(created))));
    }

    private Future<Void> requireUsers(SqlConnection transaction, Provisioner by, List<UserId> users) {
        if (users.size() > MAX_MEMBERS) {
            throw tooManyMembers();
        }
        return users.isEmpty()
                ? Future.succeededFuture()
                : store.lockUsers(transaction, by, users)
                        .compose(known -> known == users.size()
                                ? Future.succeededFuture()
                                : Future.failedFuture(ScimGroup.unknownMember()));
    }

    private static ApiException tooManyMembers() {
        return ScimErrors.tooManyResources("members in a group", MAX_MEMBERS);
    }

    /** Replaces the whole group: members who are not named are removed. */
    Future<ScimGroup> replace(Provisioner by, UUID group, Given given) {
        var steps = new ArrayList<Step>();
        steps.add(new Named(given.name(), true, given.externalId()));
        steps.add(new Members(Kind.REPLACE, given.members() == null ? Set.of() : given.members()));
        return change(by, group, steps);
    }

    Future<ScimGroup> change(Provisioner by, UUID id, List<Step> steps) {
        var added = new LinkedHashSet<UserId>();
        for (var step : steps) {
            if (step instanceof Members members && members.kind() != Kind.REMOVE) {
                added.addAll(members.users());
            }
        }
        return database.inTransaction(transaction -> requireUsers(transaction, by, List.copyOf(added))
                .compose(known -> lock.take(transaction, by))
                .compose(locked -> find(transaction, by, id)
                        .compose(group -> store.memberIds(transaction, by, id)
                                .compose(before -> apply(transaction, by, locked, group, before, steps)))));
    }

    private Future<ScimGroup> find(SqlConnection transaction, Provisioner by, UUID id) {
        return store.find(transaction, by, id).map(found -> found.orElseThrow(ScimErrors::noSuchGroup));
    }

    /** Computes the result of the steps, and writes the difference. */
    private Future<ScimGroup> apply(
            SqlConnection transaction,
            Provisioner by,
            Locked locked,
            ScimGroup group,
            List<UserId> before,
            List<Step> steps) {
        var name = group.name();
        var externalId = group.externalId();
        Set<UserId> after = new LinkedHashSet<>(before);
        for (var step : steps) {
            if (step instanceof Named named) {
                name = named.name() == null ? name : named.name();
                externalId = named.setsExternalId() ? named.externalId() : externalId;
            } else if (step instanceof Members members) {
                if (members.kind() == Kind.REPLACE) {
                    after.clear();
                }
                if (members.kind() == Kind.REMOVE) {
                    members.users().forEach(after::remove);
                } else {
                    after.addAll(members.users());
                }
            }
        }
        if (after.size() > MAX_MEMBERS) {
            throw tooManyMembers();
        }
        var changed = new ScimGroup(group.id(), name, externalId, group.createdAt(), clock.instant());
        var added = without(after, Set.copyOf(before));
        var removed = without(before, after);
        var affected =
                name.equals(group.name()) ? List.copyOf(union(added, removed)) : List.copyOf(union(before, after));
        return store.update(transaction, by, changed)
                .compose(updated ->
                        added.isEmpty() ? Future.succeededFuture() : store.add(transaction, by, group.id(), added))
                .compose(done -> removed.isEmpty()
                        ? Future.succeededFuture()
                        : store.removeMembers(transaction, by, group.id(), removed))
                .compose(done -> roles.apply(transaction, by.caller(), locked, affected))
                .compose(applied -> record(transaction, by, Logged.GROUP_UPDATED, changed))
                .map(changed);
    }

    private static List<UserId> without(Iterable<UserId> users, Set<UserId> others) {
        var left = new ArrayList<UserId>();
        users.forEach(user -> {
            if (!others.contains(user)) {
                left.add(user);
            }
        });
        return left;
    }

    private static Set<UserId> union(Iterable<UserId> some, Iterable<UserId> others) {
        var all = new LinkedHashSet<UserId>();
        some.forEach(all::add);
        others.forEach(all::add);
        return all;
    }

    Future<Void> delete(Provisioner by, UUID id) {
        return database.inTransaction(transaction -> lock.take(transaction, by)
                .compose(locked -> find(transaction, by, id)
                        .compose(group -> store.memberIds(transaction, by, id)
                                .compose(members -> store.remove(transaction, by, id)
                                        .compose(removed -> roles.apply(transaction, by.caller(), locked, members)))
                                .compose(applied -> record(transaction, by, Logged.GROUP_DELETED, group)))));
    }

    private static Future<Void> record(SqlConnection transaction, Provisioner by, Logged fact, ScimGroup group) {
        return by.caller()
                .trail()
                .record(
                        transaction,
                        fact,
                        Target.organization(by.organization().value()),
                        Map.of("groupId", group.id(), "name", group.name()));
    }
}
