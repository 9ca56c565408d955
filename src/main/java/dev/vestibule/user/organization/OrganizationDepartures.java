package dev.vestibule.user.organization;

import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.user.User;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What the deletion of a user does to their organizations. The transaction must hold the lock of the user's row. */
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
                                .compose(member -> member.orElseThrow().role().equals(OrganizationRoles.OWNER)
                                        ? members.hasOtherOwner(transaction, organization, user.id())
                                        : Future.succeededFuture(true))
                                .compose(isNotNeeded -> isNotNeeded
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

    private Future<Void> eachOf(SqlConnection transaction, User user, Function<Organization, Future<Void>> step) {
        return store.lockAllOf(transaction, user.projectId(), user.id()).compose(found -> one(found, step));
    }

    private static Future<Void> one(List<Organization> left, Function<Organization, Future<Void>> step) {
        return left.isEmpty()
                ? Future.succeededFuture()
                : step.apply(left.get(0)).compose(done -> one(left.subList(1, left.size()), step));
    }
}
