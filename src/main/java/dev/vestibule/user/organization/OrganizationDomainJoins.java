package dev.vestibule.user.organization;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.user.Account;
import dev.vestibule.user.User;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets users join the organization that has proven the domain of their own proven email, as its policy says. */
final class OrganizationDomainJoins {
    private static final List<DomainPolicy> OPEN = List.of(DomainPolicy.SUGGEST, DomainPolicy.JOIN);

    private final Database database;
    private final Organizations organizations;
    private final OrganizationMembers members;
    private final OrganizationDomainStore store = new OrganizationDomainStore();
    private final UserStore users = new UserStore();

    OrganizationDomainJoins(Database database, Organizations organizations, OrganizationMembers members) {
        this.database = database;
        this.organizations = organizations;
        this.members = members;
    }

    /** The organization that the user could join; empty for one that is full. */
    Future<Optional<Organization>> suggestion(OrganizationCaller caller, User user) {
        return findRoom(caller, user, OPEN);
    }

    private Future<Optional<Organization>> findRoom(OrganizationCaller caller, User user, List<DomainPolicy> policies) {
        return find(user, policies)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.<Organization>empty())
                        : organizations
                                .find(management(caller), found.get())
                                .map(access -> Optional.of(access.organization())
                                        .filter(one -> one.memberCount() < one.maxMembers())));
    }

    private Future<Optional<OrganizationId>> find(User user, List<DomainPolicy> policies) {
        var domain = domain(user);
        return domain == null
                ? Future.succeededFuture(Optional.empty())
                : store.organizationOf(database.reads(), user.projectId(), domain, policies, user.id());
    }

    /** Null for an email that nobody has proved. */
    private static @Nullable String domain(User user) {
        var email = user.email();
        return email == null || !user.emailVerified() ? null : email.substring(email.lastIndexOf('@') + 1);
    }

    private static OrganizationCaller management(OrganizationCaller caller) {
        return new OrganizationCaller(caller.project(), null, caller.trail());
    }

    /** Joins where the policy says so, if there is room; takes no lock for nothing, since every list asks for this. */
    Future<Void> joinByPolicy(OrganizationCaller caller, User user) {
        return findRoom(caller, user, List.of(DomainPolicy.JOIN))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture()
                        : join(caller, user, found.get().id(), List.of(DomainPolicy.JOIN))
                                .<Void>mapEmpty()
                                .recover(failure -> failure instanceof ApiException
                                        ? Future.succeededFuture() // full, or somebody was faster
                                        : Future.failedFuture(failure)));
    }

    /** A 404 for an organization that was not suggested. */
    Future<OrganizationMember> joinSuggested(OrganizationCaller caller, User user, OrganizationId id) {
        return join(caller, user, id, OPEN);
    }

    /** Email, domain and policy are read again under the locks. */
    private Future<OrganizationMember> join(
            OrganizationCaller caller, User user, OrganizationId id, List<DomainPolicy> policies) {
        return database.inTransaction(transaction -> users.lockExisting(transaction, user.projectId(), user.id())
                .map(Account::user)
                .compose(account -> organizations
                        .lock(transaction, management(caller), id)
                        .compose(access -> {
                            var domain = domain(account);
                            return (domain == null
                                            ? Future.succeededFuture(Optional.<OrganizationId>empty())
                                            : store.organizationOf(
                                                    transaction, user.projectId(), domain, policies, user.id()))
                                    .map(found -> found.filter(id::equals).orElseThrow(OrganizationErrors::notFound))
                                    .compose(allowed -> members.addTo(
                                            transaction,
                                            caller,
                                            access.organization(),
                                            user.id(),
                                            OrganizationRoles.MEMBER));
                        })));
    }
}
