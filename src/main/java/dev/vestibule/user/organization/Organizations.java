package dev.vestibule.user.organization;

import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.Violation;
import dev.vestibule.journal.Event;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Fact.Published;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.project.OrganizationSettings.OrganizationCreation;
import dev.vestibule.project.Slug;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Creates, finds, changes and deletes organizations. Locks are taken in one order: users, then organizations by their
 * ids.
 */
public final class Organizations {
    private static final int SLUG_TRIES = 10;

    private final Database database;
    private final OrganizationStore store = new OrganizationStore();
    private final OrganizationMemberStore members = new OrganizationMemberStore();
    private final UserStore users = new UserStore();
    private final Clock clock;

    Organizations(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** A 404 if there is no such organization, or the caller is a user who is not a member. */
    public Future<OrganizationAccess> find(OrganizationCaller caller, OrganizationId id) {
        return access(
                database.reads(),
                caller,
                store.find(database.reads(), caller.project().id(), id));
    }

    /** Like {@link #find}; nobody else changes the organization or its members until the transaction ends. */
    public Future<OrganizationAccess> lock(SqlClient transaction, OrganizationCaller caller, OrganizationId id) {
        return access(
                transaction, caller, store.lock(transaction, caller.project().id(), id));
    }

    private Future<OrganizationAccess> access(
            SqlClient db, OrganizationCaller caller, Future<Optional<Organization>> found) {
        var roles = caller.project().organizations().roles();
        return found.map(organization -> organization.orElseThrow(OrganizationErrors::notFound))
                .compose(organization -> caller.user() == null
                        ? Future.succeededFuture(new OrganizationAccess(organization, roles, null))
                        : members.find(db, organization.projectId(), organization.id(), caller.user())
                                .map(member -> new OrganizationAccess(
                                        organization,
                                        roles,
                                        member.orElseThrow(OrganizationErrors::notFound)
                                                .role())));
    }

    /** Creates one for a user, who becomes the owner, if the project lets users create organizations. */
    Future<Organization> createOwn(OrganizationCaller caller, UserId user, OrganizationFields.New given) {
        var project = caller.project();
        var settings = project.organizations();
        if (settings.creation() != OrganizationCreation.USERS) {
            throw ApiException.of(
                    ErrorCode.FEATURE_DISABLED, "In this project, users do not create organizations themselves.");
        }
        return database.inTransaction(transaction -> users.lockExisting(transaction, project.id(), user)
                .compose(account -> store.countCreatedBy(transaction, project.id(), user))
                .compose(count -> {
                    if (count >= settings.maxPerUser()) {
                        throw ApiException.of(
                                ErrorCode.LIMIT_REACHED,
                                "You have created " + count + " organizations, as many as this project allows.");
                    }
                    return create(transaction, caller, user, given);
                }));
    }

    /** Creates one for management, with any user as the owner. */
    Future<Organization> createFor(OrganizationCaller caller, UserId owner, OrganizationFields.New given) {
        return database.inTransaction(transaction -> members.lockUser(
                        transaction, caller.project().id(), owner)
                .compose(exists -> {
                    if (!exists) {
                        throw ApiException.invalid(
                                List.of(new Violation("createdBy", "must be the id of a user of the project")));
                    }
                    return create(transaction, caller, owner, given);
                }));
    }

    private Future<Organization> create(
            SqlConnection transaction, OrganizationCaller caller, UserId owner, OrganizationFields.New given) {
        var now = clock.instant();
        return insert(transaction, caller, owner, given, now)
                .compose(created -> members.add(transaction, created, owner, OrganizationRoles.OWNER, now)
                        .map(Optional::orElseThrow)
                        .compose(member -> recordCreation(transaction, caller, created.withMemberCount(1), member)));
    }

    private static Future<Organization> recordCreation(
            SqlConnection transaction, OrganizationCaller caller, Organization created, OrganizationMember owner) {
        return caller.trail()
                .record(
                        transaction,
                        Published.ORGANIZATION_CREATED,
                        OrganizationNews.of(created),
                        Map.of("slug", created.slug(), "ownerId", owner.userId()),
                        List.of(),
                        List.of(new Event.Draft(
                                EventKind.ORGANIZATION_MEMBER_ADDED, OrganizationNews.of(created, owner), Map.of())))
                .map(created);
    }

    private Future<Organization> insert(
            SqlClient transaction,
            OrganizationCaller caller,
            UserId creator,
            OrganizationFields.New given,
            Instant now) {
        var asked = given.slug();
        var slug = asked == null ? Slug.of(given.name(), "organization") : asked;
        return insert(transaction, caller, creator, given, slug, now, asked == null ? SLUG_TRIES : 0);
    }

    /** Tries other slugs if the name's is taken. */
    private Future<Organization> insert(
            SqlClient transaction,
            OrganizationCaller caller,
            UserId creator,
            OrganizationFields.New given,
            String slug,
            Instant now,
            int triesLeft) {
        var project = caller.project();
        var maxMembers = Objects.requireNonNullElse(
                given.maxMembers(), project.organizations().maxMembers());
        return store.insert(transaction, project.id(), given, slug, maxMembers, creator, now)
                .compose(inserted -> {
                    if (inserted.isPresent()) {
                        return Future.succeededFuture(inserted.get());
                    }
                    if (triesLeft == 0) {
                        throw OrganizationErrors.slugTaken();
                    }
                    var another = Slug.suffixed(Slug.of(given.name(), "organization"));
                    return insert(transaction, caller, creator, given, another, now, triesLeft - 1);
                });
    }

    Future<OrganizationAccess> update(
            OrganizationCaller caller, OrganizationId id, OrganizationFields.Changes changes) {
        var now = clock.instant();
        return database.inTransaction(transaction -> lock(transaction, caller, id)
                .map(access -> access.require(OrganizationRoles.UPDATE))
                .compose(access -> store.update(transaction, access.organization(), changes, now)
                        .compose(updated -> caller.trail()
                                .record(
                                        transaction,
                                        Published.ORGANIZATION_UPDATED,
                                        OrganizationNews.of(updated),
                                        Map.of("fields", changes.names()))
                                .map(new OrganizationAccess(updated, access.roles(), access.role())))));
    }

    /** Deletes the organization; its members stay users of the project. */
    Future<Void> delete(OrganizationCaller caller, OrganizationId id) {
        return database.inTransaction(transaction -> lock(transaction, caller, id)
                .map(access -> access.require(OrganizationRoles.DELETE).organization())
                .compose(organization -> store.delete(transaction, organization)
                        .compose(deleted -> caller.trail()
                                .record(
                                        transaction,
                                        Published.ORGANIZATION_DELETED,
                                        OrganizationNews.of(organization),
                                        Map.of("slug", organization.slug())))));
    }
}
