package dev.vestibule.user.organization;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.mail.MailOutbox;
import dev.vestibule.project.OrganizationRoles;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.organization.OrganizationInvitations.Invitee;
import dev.vestibule.user.organization.OrganizationInvitations.OrganizationInvitationMail;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The invitations of an organization, and their acceptance by the invited. */
public final class OrganizationInvitationHandler {
    private final Database database;
    private final Organizations organizations;
    private final OrganizationInvitations invitations;
    private final OrganizationInvitationStore store = new OrganizationInvitationStore();
    private final MailOutbox outbox;
    private final RecentSignIn recent;
    private final Clock clock;

    OrganizationInvitationHandler(
            Database database,
            Organizations organizations,
            OrganizationInvitations invitations,
            MailOutbox outbox,
            RecentSignIn recent,
            Clock clock) {
        this.database = database;
        this.organizations = organizations;
        this.invitations = invitations;
        this.outbox = outbox;
        this.recent = recent;
        this.clock = clock;
    }

    /** {@code GET …/invitations} for members and servers: a bare list, newest first. */
    public Future<Reply> list(ApiRequest request) {
        var page = request.userIfAny().isPresent()
                ? Fields.read(request.queryFields(), OrganizationMemberHandler::page)
                : request.query(OrganizationMemberHandler::page);
        return access(request)
                .compose(access -> store.list(
                        database.writes(),
                        access.require(OrganizationRoles.MANAGE_MEMBERS).organization(),
                        page,
                        clock.instant()))
                .map(Reply::ok);
    }

    private record InvitationPage(List<OrganizationInvitation> invitations, long total) {}

    /** {@code GET /v1/dashboard/organizations/:organizationId/invitations}. */
    public Future<Reply> listForDashboard(ApiRequest request) {
        var page = request.query(Query::page);
        return access(request)
                .compose(access -> store.list(database.writes(), access.organization(), page, clock.instant())
                        .compose(found -> store.count(database.writes(), access.organization())
                                .map(total -> Reply.ok(new InvitationPage(found, total)))));
    }

    private Future<OrganizationAccess> access(ApiRequest request) {
        return organizations.find(OrganizationHandler.caller(request), OrganizationHandler.id(request));
    }

    private record NewInvitation(String email, String role) {}

    /** {@code POST …/invitations}: invites an email, again if it was invited before. */
    public Future<Reply> create(ApiRequest request) {
        requireVerified(request);
        var roles = request.project().organizations().roles();
        var given = OrganizationHandler.fields(
                request,
                fields -> new NewInvitation(
                        fields.required("email", UserFields::email),
                        Objects.requireNonNullElse(fields.optional("role", roles::named), OrganizationRoles.MEMBER)));
        OrganizationMemberHandler.requireRecentFor(given.role(), request, recent);
        return invitations
                .invite(
                        OrganizationHandler.caller(request),
                        OrganizationHandler.id(request),
                        given.email(),
                        given.role(),
                        mail(request))
                .onSuccess(invited -> outbox.wakeUp())
                .map(Reply::created);
    }

    /** Otherwise an account with a made-up address could make this server mail anybody. */
    private static void requireVerified(ApiRequest request) {
        request.userIfAny().ifPresent(caller -> {
            if (!caller.user().emailVerified()) {
                throw ApiException.of(ErrorCode.UNVERIFIED_EMAIL, "Verify your own email before you invite others.");
            }
        });
    }

    private OrganizationInvitationMail mail(ApiRequest request) {
        var project = request.project().id();
        var language = request.language();
        return (transaction, mail, email) ->
                outbox.requestOrganizationInvitation(transaction, project, mail, email, language);
    }

    /** {@code POST …/invitations/:invitationId/resend}: mails a new token. */
    public Future<Reply> resend(ApiRequest request) {
        requireVerified(request);
        return invitations
                .resend(
                        OrganizationHandler.caller(request),
                        OrganizationHandler.id(request),
                        invitation(request),
                        mail(request))
                .onSuccess(sent -> outbox.wakeUp())
                .map(Reply::ok);
    }

    /** {@code DELETE …/invitations/:invitationId}. */
    public Future<Reply> revoke(ApiRequest request) {
        return invitations
                .revoke(OrganizationHandler.caller(request), OrganizationHandler.id(request), invitation(request))
                .map(revoked -> Reply.success());
    }

    private static UUID invitation(ApiRequest request) {
        return request.pathId("invitationId");
    }

    /**
     * {@code POST /v1/auth/organizations/invitations/:token/accept}, by the signed-in user, and
     * {@code …/invitations/accept}, by anybody who has the token.
     */
    public Future<Reply> accept(ApiRequest request) {
        return invitations
                .accept(request.project(), request.trail(), token(request), invitee(request))
                .map(Reply::ok);
    }

    private static @Nullable Invitee invitee(ApiRequest request) {
        return request.userIfAny()
                .map(caller -> new Invitee(caller.user(), caller.token().session()))
                .orElse(null);
    }

    /** {@code POST …/reject}, on the same two paths as {@link #accept}. */
    public Future<Reply> reject(ApiRequest request) {
        return invitations
                .reject(request.project(), request.trail(), token(request))
                .map(rejected -> Reply.success());
    }

    private static String token(ApiRequest request) {
        var inPath = request.pathParam("token");
        return inPath != null ? inPath : request.fields(fields -> fields.required("token", FieldType.token()));
    }
}
