package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.PasswordSignUp;
import dev.vestibule.authentication.PasswordSignUp.Admission;
import dev.vestibule.authentication.PasswordSignUp.SignUpRequest;
import dev.vestibule.authentication.dashboard.RegistrationPolicy.Applicant;
import dev.vestibule.database.Database;
import dev.vestibule.http.Body;
import dev.vestibule.http.LocalRequest;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.SystemProject;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Registers dashboard users, and makes them members of the projects that invite them. */
public final class DashboardAccountHandler {
    private final Database database;
    private final RegistrationPolicy policy;
    private final InvitationAcceptance invitations;
    private final PasswordSignUp signUp;
    private final NewPasswords passwords;
    private final RefreshCookie cookie;
    private final DeviceReader devices;
    private final Auditor audit;

    public DashboardAccountHandler(
            Database database,
            RegistrationPolicy policy,
            InvitationAcceptance invitations,
            PasswordSignUp signUp,
            NewPasswords passwords,
            RefreshCookie cookie,
            DeviceReader devices,
            Auditor audit) {
        this.database = database;
        this.policy = policy;
        this.invitations = invitations;
        this.signUp = signUp;
        this.passwords = passwords;
        this.cookie = cookie;
        this.devices = devices;
        this.audit = audit;
    }

    /**
     * {@code GET /v1/dashboard/auth/registration}: what a registration from this client would need, for the
     * registration page.
     */
    public Future<Reply> getRegistration(RoutingContext ctx) {
        var isLocal = LocalRequest.is(ctx.request());
        return policy.need(database.reads(), Caller.project(ctx).id(), isLocal)
                .map(need -> Reply.ok(Map.of("registration", need)));
    }

    private record Request(
            String email,
            String password,
            @Nullable String displayName,
            @Nullable String setupCode,
            @Nullable String invitationToken) {
        @Override
        public String toString() {
            return "RegisterRequest";
        }
    }

    /**
     * {@code POST /v1/dashboard/auth/register}: creates a dashboard user, by invitation or if the configuration allows
     * it.
     */
    public Future<Reply> register(RoutingContext ctx) {
        var request = Fields.read(Body.of(ctx), this::request);
        var registered = admission(ctx, request)
                .compose(admission -> signUp.run(request(ctx, request), admission))
                .map(Reply::created);
        return cookie.storeIfRequested(ctx.request(), Caller.project(ctx).refreshTokenTtl(), registered);
    }

    /** By invitation, or by the server's policy. */
    private Future<Admission> admission(RoutingContext ctx, Request request) {
        if (request.invitationToken() != null) {
            return invitations.checkRegistration(audit.of(ctx), request.email(), request.invitationToken());
        }
        var applicant = new Applicant(LocalRequest.is(ctx.request()), request.setupCode());
        return policy.checkRegistration(database.reads(), Caller.project(ctx), applicant);
    }

    private Request request(Fields fields) {
        var email = fields.required("email", UserFields::email);
        var displayName = fields.optional("displayName", UserFields::displayName);
        return new Request(
                email,
                fields.required("password", passwords.rule(email, displayName, SystemProject.NAME)),
                displayName,
                fields.optional("setupCode", FieldType.token()),
                fields.optional("invitationToken", FieldType.token()));
    }

    private SignUpRequest request(RoutingContext ctx, Request request) {
        return new SignUpRequest(
                Caller.project(ctx),
                Caller.variant(ctx),
                request.email(),
                request.password(),
                request.displayName(),
                RequestLanguage.of(ctx),
                devices.read(ctx));
    }

    /** {@code POST /v1/dashboard/invitations/:token/accept}: makes the dashboard user a member of the inviting project. */
    public Future<Reply> acceptInvitation(RoutingContext ctx) {
        var caller = Caller.user(ctx);
        return invitations
                .accept(audit.of(ctx), caller.user().id(), caller.token().session(), ctx.pathParam("token"))
                .map(Reply::ok);
    }
}
