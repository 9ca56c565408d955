package dev.vestibule.user.organization;

import dev.vestibule.database.Database;
import dev.vestibule.journal.Trail;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.DomainConnections;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decides whom a connection of an organization may sign in, and makes them members. */
public final class ConnectionSignIns {
    private final OrganizationDomainStore domains = new OrganizationDomainStore();
    private final OrganizationStore organizations = new OrganizationStore();
    private final OrganizationMemberStore members = new OrganizationMemberStore();
    private final OrganizationMembers changes;

    public ConnectionSignIns(Database database, Clock clock) {
        this.changes = new OrganizationMembers(database, new Organizations(database, clock), clock);
    }

    /** A 403 for an email that is not of a domain that the organization has proven, and still has. */
    public Future<Void> requireOwn(SqlClient db, ProjectId project, UUID organization, @Nullable String email) {
        if (email == null) {
            throw OrganizationErrors.foreignEmail();
        }
        return domains.isProven(db, project, new OrganizationId(organization), DomainConnections.domain(email))
                .map(isProven -> {
                    if (!isProven) {
                        throw OrganizationErrors.foreignEmail();
                    }
                    return null;
                });
    }

    /**
     * Adds the user, whose row the transaction has locked, as a member, unless somebody has removed them. An
     * organization that is full stays as it is: its people still sign in to their accounts.
     */
    public Future<Void> join(SqlConnection transaction, Project project, Trail trail, UUID id, UserId user) {
        var organization = new OrganizationId(id);
        return members.find(transaction, project.id(), organization, user)
                .compose(member -> member.isPresent()
                        ? Future.<Void>succeededFuture()
                        : lockAndAdd(transaction, new OrganizationCaller(project, null, trail), organization, user));
    }

    private Future<Void> lockAndAdd(
            SqlConnection transaction, OrganizationCaller caller, OrganizationId id, UserId user) {
        var project = caller.project().id();
        return organizations
                .lock(transaction, project, id)
                .compose(found -> found.filter(one -> one.memberCount() < one.maxMembers())
                        .map(one -> isWelcome(transaction, project, id, user)
                                .compose(isWelcome -> isWelcome
                                        ? changes.addTo(transaction, caller, one, user, OrganizationRoles.MEMBER)
                                                .<Void>mapEmpty()
                                        : Future.succeededFuture()))
                        .orElseGet(Future::succeededFuture));
    }

    /** False for a user who is a member already or was removed. */
    private Future<Boolean> isWelcome(SqlConnection transaction, ProjectId project, OrganizationId id, UserId user) {
        return members.find(transaction, project, id, user)
                .compose(member -> member.isPresent()
                        ? Future.succeededFuture(false)
                        : members.isKeptOut(transaction, project, id, user).map(isKeptOut -> !isKeptOut));
    }
}
