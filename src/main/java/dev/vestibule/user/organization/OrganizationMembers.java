package dev.vestibule.user.organization;

import com.google.common.collect.Lists;
import dev.vestibule.database.Database;
import dev.vestibule.journal.Event;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.OrganizationMemberStore.Changed;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds and removes members, and changes their roles, under the lock of the organization: so the last owner stays and no
 * organization has more members than it may, whatever happens at the same time.
 */
public final class OrganizationMembers {
    private static final int TOLD_TOGETHER = 100;

    private final Database database;
    private final Organizations organizations;
    private final OrganizationMemberStore store = new OrganizationMemberStore();
    private final Clock clock;

    OrganizationMembers(Database database, Organizations organizations, Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.clock = clock;
    }

    /** Adds a user by decision of management; a 409 if they are a member, or the organization is full. */
    Future<OrganizationMember> add(OrganizationCaller caller, OrganizationId id, UserId user, String role) {
        return database.inTransaction(
                transaction -> store.lockUser(transaction, caller.project().id(), user)
                        .compose(exists -> exists
                                ? organizations.lock(transaction, caller, id)
                                : Future.failedFuture(UserErrors.notFound()))
                        .compose(access -> addTo(transaction, caller, access.organization(), user, role)));
    }

    /** The transaction holds the locks of the user and of the organization. */
    Future<OrganizationMember> addTo(
            SqlConnection transaction, OrganizationCaller caller, Organization organization, UserId user, String role) {
        return store.find(transaction, organization.projectId(), organization.id(), user)
                .compose(found -> found.isPresent()
                        ? Future.failedFuture(OrganizationErrors.alreadyMember())
                        : store.add(transaction, organization, user, role, clock.instant()))
                .map(added -> added.orElseThrow(() -> OrganizationErrors.full(organization.maxMembers())))
                .compose(member -> record(
                        transaction,
                        caller,
                        Published.ORGANIZATION_MEMBER_ADDED,
                        organization.withMemberCount(organization.memberCount() + 1),
                        member,
                        Map.of("userId", user, "role", role)));
    }

    /** Adds a user who is not a member; the transaction holds the locks of the user and of the organization. */
    public Future<Void> ensure(
            SqlConnection transaction, OrganizationCaller caller, Organization organization, UserId user, String role) {
        return store.find(transaction, organization.projectId(), organization.id(), user)
                .compose(found -> found.isPresent()
                        ? Future.succeededFuture()
                        : addTo(transaction, caller, organization, user, role).mapEmpty());
    }

    /**
     * Removes a user who is a member, a 409 if they are the last owner, and keeps them out; the transaction holds both
     * locks.
     */
    public Future<Void> ensureNot(
            SqlConnection transaction, OrganizationCaller caller, Organization organization, UserId user) {
        return store.find(transaction, organization.projectId(), organization.id(), user)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture()
                        : requireOtherOwner(transaction, organization, found.get())
                                .compose(allowed -> removeFrom(transaction, caller, organization, found.get())))
                .compose(removed -> keepOut(transaction, organization, user));
    }

    /** Neither a domain nor a connection takes them in; the transaction holds both locks. */
    private Future<Void> keepOut(SqlConnection transaction, Organization organization, UserId user) {
        return store.keepOut(transaction, organization, user, clock.instant());
    }

    /**
     * Gives the users who are members, and no owners, this role, by one entry for up to a hundred of them; the
     * transaction holds the organization's lock.
     */
    public Future<Void> giveRole(
            SqlConnection transaction,
            OrganizationCaller caller,
            Organization organization,
            List<UserId> users,
            String role) {
        return store.giveRole(transaction, organization, users, role).compose(changed -> {
            Future<Void> told = Future.succeededFuture();
            for (var some : Lists.partition(changed, TOLD_TOGETHER)) {
                told = told.compose(before -> tell(transaction, caller, organization, some));
            }
            return told;
        });
    }

    private static Future<Void> tell(
            SqlConnection transaction, OrganizationCaller caller, Organization organization, List<Changed> changed) {
        var details = details(changed.get(0));
        if (changed.size() > 1) {
            details.put(
                    "userIds",
                    changed.stream().map(one -> one.member().userId()).toList());
        }
        var others = changed.stream()
                .skip(1)
                .map(one -> new Event.Draft(
                        EventKind.ORGANIZATION_MEMBER_ROLE_CHANGED,
                        OrganizationNews.of(organization, one.member()),
                        details(one)))
                .toList();
        return caller.trail()
                .record(
                        transaction,
                        Published.ORGANIZATION_MEMBER_ROLE_CHANGED,
                        OrganizationNews.of(organization, changed.get(0).member()),
                        details,
                        List.of(),
                        others);
    }

    private static Map<String, Object> details(Changed changed) {
        var details = new LinkedHashMap<String, Object>();
        details.put("userId", changed.member().userId());
        details.put("from", changed.from());
        details.put("to", changed.member().role());
        return details;
    }

    Future<OrganizationMember> changeRole(OrganizationCaller caller, OrganizationId id, UserId user, String role) {
        return database.inTransaction(transaction -> organizations
                .lock(transaction, caller, id)
                .map(access -> access.require(OrganizationRoles.MANAGE_MEMBERS))
                .compose(access -> find(transaction, access, user).compose(member -> {
                    access.requireCanGive(member.role());
                    access.requireCanGive(role);
                    return member.role().equals(role)
                            ? Future.succeededFuture(member)
                            : changeRole(transaction, caller, access.organization(), member, role);
                })));
    }

    private Future<OrganizationMember> changeRole(
            SqlConnection transaction,
            OrganizationCaller caller,
            Organization organization,
            OrganizationMember member,
            String role) {
        return requireOtherOwner(transaction, organization, member)
                .compose(allowed -> store.changeRole(transaction, organization, member.userId(), role))
                .compose(changed -> record(
                        transaction,
                        caller,
                        Published.ORGANIZATION_MEMBER_ROLE_CHANGED,
                        organization,
                        changed,
                        Map.of("userId", member.userId(), "from", member.role(), "to", role)));
    }

    /**
     * Members can always leave; to remove others they need the permission, and these do not come back by themselves.
     */
    Future<OrganizationMember> remove(OrganizationCaller caller, OrganizationId id, UserId user) {
        var leaves = user.equals(caller.user());
        return database.inTransaction(transaction -> store.lockUser(
                        transaction, caller.project().id(), user)
                .compose(known -> organizations.lock(transaction, caller, id))
                .map(access -> leaves ? access : access.require(OrganizationRoles.MANAGE_MEMBERS))
                .compose(access -> find(transaction, access, user).compose(member -> {
                    access.requireCanGive(member.role());
                    return requireOtherOwner(transaction, access.organization(), member)
                            .compose(allowed -> removeFrom(transaction, caller, access.organization(), member))
                            .compose(removed -> leaves
                                    ? Future.succeededFuture(removed)
                                    : keepOut(transaction, access.organization(), user)
                                            .map(removed));
                })));
    }

    private Future<OrganizationMember> removeFrom(
            SqlConnection transaction,
            OrganizationCaller caller,
            Organization organization,
            OrganizationMember member) {
        return store.remove(transaction, organization, member.userId())
                .compose(removed -> record(
                        transaction,
                        caller,
                        Published.ORGANIZATION_MEMBER_REMOVED,
                        organization.withMemberCount(organization.memberCount() - 1),
                        member,
                        Map.of("userId", member.userId(), "role", member.role())));
    }

    private Future<OrganizationMember> find(SqlConnection transaction, OrganizationAccess access, UserId user) {
        var organization = access.organization();
        return store.find(transaction, organization.projectId(), organization.id(), user)
                .map(member -> member.orElseThrow(OrganizationErrors::noSuchMember));
    }

    /** A 409 for the last owner. */
    private Future<Void> requireOtherOwner(
            SqlConnection transaction, Organization organization, OrganizationMember member) {
        return member.role().equals(OrganizationRoles.OWNER)
                ? store.hasOtherOwner(transaction, organization, member.userId())
                        .compose(exists -> exists
                                ? Future.<Void>succeededFuture()
                                : Future.failedFuture(OrganizationErrors.lastOwner()))
                : Future.succeededFuture();
    }

    private static Future<OrganizationMember> record(
            SqlConnection transaction,
            OrganizationCaller caller,
            Published fact,
            Organization organization,
            OrganizationMember member,
            Map<String, ?> details) {
        return caller.trail()
                .record(transaction, fact, OrganizationNews.of(organization, member), details)
                .map(member);
    }
}
