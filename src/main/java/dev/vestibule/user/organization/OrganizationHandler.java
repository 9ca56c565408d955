package dev.vestibule.user.organization;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.Caller.SignedIn;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Page;
import dev.vestibule.json.Text;
import dev.vestibule.json.Uuids;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import dev.vestibule.user.organization.OrganizationListStore.Found;
import dev.vestibule.user.organization.OrganizationStore.OfUser;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Organizations, {@code /v1/auth/organizations} for their members, {@code /v1/backend/organizations} and
 * {@code /v1/dashboard/organizations} for management.
 */
public final class OrganizationHandler {
    private static final int MAX_SEARCH = 100;

    private final Database database;
    private final Organizations organizations;
    private final OrganizationDomainJoins joins;
    private final RecentSignIn recent;
    private final OrganizationStore store = new OrganizationStore();
    private final OrganizationListStore lists = new OrganizationListStore();
    private final UserStore users = new UserStore();

    OrganizationHandler(
            Database database, Organizations organizations, OrganizationDomainJoins joins, RecentSignIn recent) {
        this.database = database;
        this.organizations = organizations;
        this.joins = joins;
        this.recent = recent;
    }

    public static OrganizationCaller caller(ApiRequest request) {
        return new OrganizationCaller(
                request.project(),
                request.userIfAny()
                        .map(user -> user.user().id())
                        .or(request::makerOfSetupLink)
                        .orElse(null),
                request.trail());
    }

    public static OrganizationId id(ApiRequest request) {
        return new OrganizationId(request.pathId("organizationId"));
    }

    /** The fields of the body; management is told of those that are not known. */
    public static <T> T fields(ApiRequest request, Function<Fields, T> reader) {
        return request.userIfAny().isPresent()
                ? request.fields(reader)
                : request.allFields(fields -> {
                    fields.ignore("projectId"); // the guard reads it
                    return reader.apply(fields);
                });
    }

    /** An organization with what the member who asks can do in it. */
    private record Own(@JsonUnwrapped Organization organization, String role, Collection<String> permissions) {
        static Own of(Organization organization, String role, OrganizationRoles roles) {
            return new Own(organization, role, roles.permissionsOf(role));
        }
    }

    private record NumberedPage<T>(List<T> data, long total, int page, int limit) {}

    private record Numbered(int page, int limit) {
        static Numbered read(Fields fields) {
            var limit = Query.limit(fields);
            return new Numbered(
                    Objects.requireNonNullElse(fields.optional("page", Query.integer(1, Integer.MAX_VALUE / limit)), 1),
                    limit);
        }

        Page rows() {
            return new Page(limit, (page - 1) * limit);
        }
    }

    /** {@code GET /v1/auth/organizations}: those that the caller is a member of, the last one joined first. */
    public Future<Reply> listMine(ApiRequest request) {
        var asked = Fields.read(request.queryFields(), Numbered::read);
        var caller = request.user();
        var project = caller.project().id();
        var roles = caller.project().organizations().roles();
        var user = caller.user().id();
        return join(request, caller)
                .compose(joined -> store.countOf(database.reads(), project, user))
                .compose(total -> store.listOf(database.reads(), project, user, asked.rows())
                        .map(found -> Reply.ok(new NumberedPage<>(
                                found.stream()
                                        .map(one -> Own.of(one.organization(), one.role(), roles))
                                        .toList(),
                                total,
                                asked.page(),
                                asked.limit()))));
    }

    /** Joins by the policy of the user's domain; not while an owner acts as the user. */
    private Future<Void> join(ApiRequest request, SignedIn caller) {
        return caller.token().impersonator() == null
                ? joins.joinByPolicy(caller(request), caller.user())
                : Future.succeededFuture();
    }

    /** {@code GET /v1/backend/organizations}: all of the project, newest first. */
    public Future<Reply> listForBackend(ApiRequest request) {
        var project = request.project().id();
        var asked = request.query(Numbered::read);
        return page(project, null, asked.rows())
                .map(found -> Reply.ok(
                        new NumberedPage<>(found.organizations(), found.total(), asked.page(), asked.limit())));
    }

    private Future<Found> page(ProjectId project, @Nullable String term, Page page) {
        var total = lists.count(database.writes(), project, term);
        return lists.page(database.writes(), project, term, page)
                .compose(found -> total.map(count -> new Found(found, count)));
    }

    private record Search(@Nullable String term, Page page) {
        static Search read(Fields fields) {
            return new Search(fields.optional("search", text -> Text.line(text, MAX_SEARCH)), Query.page(fields));
        }
    }

    /** {@code GET /v1/dashboard/organizations}: all of the project, or those that match a search, newest first. */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project().id();
        var asked = request.query(Search::read);
        return (asked.term() == null ? page(project, null, asked.page()) : search(project, asked.term(), asked.page()))
                .map(Reply::ok);
    }

    private Future<Found> search(ProjectId project, String asked, Page page) {
        return lists.term(database.writes(), project, asked)
                .compose(term -> term.isRare()
                        ? lists.find(database.writes(), project, term.folded(), page)
                        : page(project, term.folded(), page));
    }

    private record Membership(@JsonUnwrapped Organization organization, String role) {
        static Membership of(OfUser found) {
            return new Membership(found.organization(), found.role());
        }
    }

    private record MembershipPage(List<Membership> organizations, long total) {}

    /** {@code GET /v1/dashboard/users/:userId/organizations}: those that the user is a member of. */
    public Future<Reply> listForUser(ApiRequest request) {
        var project = request.project().id();
        var user = new UserId(request.pathId("userId"));
        var page = request.query(Query::page);
        return users.find(database.reads(), project, user)
                .map(found -> found.orElseThrow(UserErrors::notFound))
                .compose(found -> store.countOf(database.reads(), project, user))
                .compose(total -> store.listOf(database.reads(), project, user, page)
                        .map(found -> Reply.ok(new MembershipPage(
                                found.stream().map(Membership::of).toList(), total))));
    }

    /** {@code POST /v1/auth/organizations}: creates one that the caller owns. */
    public Future<Reply> createMine(ApiRequest request) {
        var caller = request.user();
        var settings = caller.project().organizations();
        var given = request.fields(
                fields -> OrganizationFields.New.read(fields, OrganizationFields.mostMembers(settings, false)));
        return organizations
                .createOwn(caller(request), caller.user().id(), given)
                .map(created -> Reply.created(Own.of(created, OrganizationRoles.OWNER, settings.roles())));
    }

    private record ManagedNew(OrganizationFields.New fields, UserId createdBy) {}

    /** {@code POST …/organizations} in the management API: creates one that a user owns. */
    public Future<Reply> create(ApiRequest request) {
        var most = OrganizationFields.mostMembers(request.project().organizations(), true);
        var given = fields(
                request,
                fields -> new ManagedNew(
                        OrganizationFields.New.read(fields, most),
                        fields.required("createdBy", OrganizationHandler::user)));
        return organizations
                .createFor(caller(request), given.createdBy(), given.fields())
                .map(Reply::created);
    }

    /** A field rule. */
    static UserId user(String text) {
        return new UserId(Uuids.parse(text).orElseThrow(() -> new InvalidValueException("must be the id of a user")));
    }

    /** {@code GET …/organizations/:organizationId}. */
    public Future<Reply> get(ApiRequest request) {
        return organizations.find(caller(request), id(request)).map(access -> Reply.ok(shown(access)));
    }

    /** {@code PATCH …/organizations/:organizationId}: changes the given fields. */
    public Future<Reply> update(ApiRequest request) {
        var caller = caller(request);
        var most = OrganizationFields.mostMembers(caller.project().organizations(), caller.isManagement());
        var changes = fields(request, fields -> OrganizationFields.Changes.read(fields, most));
        return organizations.update(caller, id(request), changes).map(access -> Reply.ok(shown(access)));
    }

    private static Object shown(OrganizationAccess access) {
        return access.role() == null
                ? access.organization()
                : Own.of(access.organization(), access.role(), access.roles());
    }

    /** {@code DELETE …/organizations/:organizationId}. */
    public Future<Reply> delete(ApiRequest request) {
        request.userIfAny().ifPresent(recent::require);
        return organizations.delete(caller(request), id(request)).map(deleted -> Reply.success());
    }
}
