package dev.vestibule.user.organization;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.json.Page;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.user.UserId;
import dev.vestibule.user.organization.OrganizationMemberStore.Listed;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;

/** The members of an organization, below the paths of {@link OrganizationHandler}. */
public final class OrganizationMemberHandler {
    private static final int MAX_LISTED = 1000;

    private final Database database;
    private final Organizations organizations;
    private final OrganizationMembers members;
    private final RecentSignIn recent;
    private final OrganizationMemberStore store = new OrganizationMemberStore();

    OrganizationMemberHandler(
            Database database, Organizations organizations, OrganizationMembers members, RecentSignIn recent) {
        this.database = database;
        this.organizations = organizations;
        this.members = members;
        this.recent = recent;
    }

    /** {@code GET …/members} for members and servers: a bare list, the longest-standing first. */
    public Future<Reply> list(ApiRequest request) {
        var page = request.userIfAny().isPresent()
                ? Fields.read(request.queryFields(), OrganizationMemberHandler::page)
                : request.query(OrganizationMemberHandler::page);
        return organizations
                .find(OrganizationHandler.caller(request), OrganizationHandler.id(request))
                .compose(access -> store.list(
                        database.writes(),
                        access.require(OrganizationRoles.READ_MEMBERS).organization(),
                        page))
                .map(Reply::ok);
    }

    /** The published clients ask for no page, so the first one is as long as a response may be. */
    static Page page(Fields fields) {
        return new Page(
                Objects.requireNonNullElse(fields.optional("limit", Query.integer(1, MAX_LISTED)), MAX_LISTED),
                Objects.requireNonNullElse(fields.optional("offset", Query.integer(0, Integer.MAX_VALUE)), 0));
    }

    private record MemberPage(List<Listed> members, long total) {}

    /** {@code GET /v1/dashboard/organizations/:organizationId/members}. */
    public Future<Reply> listForDashboard(ApiRequest request) {
        var page = request.query(Query::page);
        return organizations
                .find(OrganizationHandler.caller(request), OrganizationHandler.id(request))
                .compose(access -> store.list(database.writes(), access.organization(), page)
                        .map(found -> Reply.ok(
                                new MemberPage(found, access.organization().memberCount()))));
    }

    private record NewMember(UserId user, String role) {}

    /** {@code POST …/members} in the management API: makes a user a member at once. */
    public Future<Reply> add(ApiRequest request) {
        var roles = request.project().organizations().roles();
        var given = OrganizationHandler.fields(
                request,
                fields -> new NewMember(
                        fields.required("userId", OrganizationHandler::user),
                        Objects.requireNonNullElse(fields.optional("role", roles::named), OrganizationRoles.MEMBER)));
        return members.add(
                        OrganizationHandler.caller(request),
                        OrganizationHandler.id(request),
                        given.user(),
                        given.role())
                .map(Reply::created);
    }

    /** {@code PATCH …/members/:memberId}: changes the role. */
    public Future<Reply> update(ApiRequest request) {
        var roles = request.project().organizations().roles();
        var role = OrganizationHandler.fields(request, fields -> fields.required("role", roles::named));
        requireRecentFor(role, request, recent);
        return members.changeRole(
                        OrganizationHandler.caller(request), OrganizationHandler.id(request), member(request), role)
                .map(Reply::ok);
    }

    /**
     * A role that may do more than others is given only after a recent sign in: it outlasts a token that was copied.
     */
    static void requireRecentFor(String role, ApiRequest request, RecentSignIn recent) {
        if (!request.project().organizations().roles().canGive(OrganizationRoles.MEMBER, role)) {
            request.userIfAny().ifPresent(recent::require);
        }
    }

    /** {@code DELETE …/members/:memberId}. */
    public Future<Reply> remove(ApiRequest request) {
        return members.remove(OrganizationHandler.caller(request), OrganizationHandler.id(request), member(request))
                .map(removed -> Reply.success());
    }

    /** {@code POST /v1/auth/organizations/:organizationId/leave}. */
    public Future<Reply> leave(ApiRequest request) {
        return members.remove(
                        OrganizationHandler.caller(request),
                        OrganizationHandler.id(request),
                        request.user().user().id())
                .map(removed -> Reply.success());
    }

    private static UserId member(ApiRequest request) {
        return new UserId(request.pathId("memberId"));
    }
}
