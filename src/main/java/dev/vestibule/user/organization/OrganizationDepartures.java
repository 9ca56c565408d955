package dev.vestibule.user.organization;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * How users leave organizations without asking for it, such as by the deletion of their account. The transaction must
 * hold the lock of the user's row.
 */
public final class OrganizationDepartures {
    private final OrganizationStore store = new OrganizationStore();
    private final OrganizationMemberStore members = new OrganizationMemberStore();

    /** A 409 if an organization with other members would lose its last owner. */
    public Future<Void> requireNotNeeded(SqlConnection transaction, User user) {
        return eachOf(
                transaction,
                user,
                organization -> organization.memberCount() == 1
                        ? Future.succeededFuture()
                        : members.find(transaction, user.projectId(), organization.id(), user.id())
                                .compose(member -> isLastOwner(transaction, organization, member.orElseThrow()))
                                .compose(isLast -> !isLast
                                        ? Future.succeededFuture()
                                        : Future.failedFuture(ApiException.of(
                                                ErrorCode.LAST_OWNER,
                                                "You are the last owner of " + organization.name()
                                                        + ". Make another member an owner first, or delete it."))));
    }

    /**
     * Removes the user from all organizations, and deletes those that have no other member. One that loses its last
     * owner keeps the other members, and management can make one of them an owner.
     */
    public Future<Void> leaveAll(Trail trail, SqlConnection transaction, User user) {
        return eachOf(
                transaction,
                user,
                organization -> members.find(transaction, user.projectId(), organization.id(), user.id())
                        .compose(member -> organization.memberCount() == 1
                                ? store.delete(transaction, organization)
                                        .compose(deleted -> trail.publish(
                                                transaction,
                                                EventKind.ORGANIZATION_DELETED,
                                                OrganizationNews.of(organization),
                                                Map.of()))
                                : members.remove(transaction, organization, user.id())
                                        .compose(removed -> trail.publish(
                                                transaction,
                                                EventKind.ORGANIZATION_MEMBER_REMOVED,
                                                OrganizationNews.of(
                                                        organization.withMemberCount(organization.memberCount() - 1),
                                                        member.orElseThrow()),
                                                Map.of()))));
    }

    /** Removes the user from one organization, except its last owner; does nothing if they are not a member. */
    public Future<Void> leave(Trail trail, SqlConnection transaction, User user, UUID id) {
        var organization = new OrganizationId(id);
        return store.lock(transaction, user.projectId(), organization)
                .compose(locked -> members.find(transaction, user.projectId(), organization, user.id())
                        .compose(member -> member.isEmpty()
                                ? Future.succeededFuture()
                                : leave(trail, transaction, locked.orElseThrow(), member.get())));
    }

    private Future<Void> leave(
            Trail trail, SqlConnection transaction, Organization organization, OrganizationMember member) {
        return isLastOwner(transaction, organization, member)
                .compose(isLast -> isLast
                        ? Future.succeededFuture()
                        : members.remove(transaction, organization, member.userId())
                                .compose(removed -> trail.record(
                                        transaction,
                                        Published.ORGANIZATION_MEMBER_REMOVED,
                                        OrganizationNews.of(
                                                organization.withMemberCount(organization.memberCount() - 1), member),
                                        Map.of("userId", member.userId(), "role", member.role()))));
    }

    private Future<Boolean> isLastOwner(
            SqlConnection transaction, Organization organization, OrganizationMember member) {
        return member.role().equals(OrganizationRoles.OWNER)
                ? members.hasOtherOwner(transaction, organization, member.userId())
                        .map(hasOther -> !hasOther)
                : Future.succeededFuture(false);
    }

    private Future<Void> eachOf(SqlConnection transaction, User user, Function<Organization, Future<Void>> step) {
        return store.lockAllOf(transaction, user.projectId(), user.id()).compose(found -> one(found, step));
    }

    private static Future<Void> one(List<Organization> left, Function<Organization, Future<Void>> step) {
        return left.isEmpty()
                ? Future.succeededFuture()
                : step.apply(left.get(0)).compose(done -> one(left.subList(1, left.size()), step));
    }
}
