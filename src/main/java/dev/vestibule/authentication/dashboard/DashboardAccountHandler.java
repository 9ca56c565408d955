package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.PasswordSignUp;
import dev.vestibule.authentication.PasswordSignUp.Admission;
import dev.vestibule.authentication.PasswordSignUp.SignUpRequest;
import dev.vestibule.authentication.dashboard.RegistrationPolicy.Applicant;
import dev.vestibule.database.Database;
import dev.vestibule.http.LocalRequest;
import dev.vestibule.http.Reply;
import dev.vestibule.json.FieldType;
import dev.vestibule.json.Fields;
import dev.vestibule.project.SystemProject;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
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

    public DashboardAccountHandler(
            Database database,
            RegistrationPolicy policy,
            InvitationAcceptance invitations,
            PasswordSignUp signUp,
            NewPasswords passwords,
            RefreshCookie cookie) {
        this.database = database;
        this.policy = policy;
        this.invitations = invitations;
        this.signUp = signUp;
        this.passwords = passwords;
        this.cookie = cookie;
    }

    /**
     * {@code GET /v1/dashboard/auth/registration}: what a registration from this client would need, for the
     * registration page.
     */
    public Future<Reply> getRegistration(ApiRequest request) {
        var isLocal = LocalRequest.is(request.http());
        return policy.need(database.reads(), request.project().id(), isLocal)
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
    public Future<Reply> register(ApiRequest request) {
        var input = request.fields(this::request);
        var registered = admission(request, input)
                .compose(admission -> signUp.run(request(request, input), admission))
                .map(Reply::created);
        return cookie.storeIfRequested(request.http(), request.project().refreshTokenTtl(), registered);
    }

    /** The condition of a registration: an invitation if one is given, otherwise the server's policy. */
    private Future<Admission> admission(ApiRequest request, Request input) {
        if (input.invitationToken() != null) {
            return invitations.checkRegistration(request.trail(), input.email(), input.invitationToken());
        }
        var applicant = new Applicant(LocalRequest.is(request.http()), input.setupCode());
        return policy.checkRegistration(database.reads(), request.project(), applicant);
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

    private SignUpRequest request(ApiRequest request, Request input) {
        return new SignUpRequest(
                request.project(),
                request.variant(),
                input.email(),
                input.password(),
                input.displayName(),
                request.language(),
                request.device());
    }

    /**
     * {@code POST /v1/dashboard/invitations/:token/accept}: makes the dashboard user a member of the inviting project.
     */
    public Future<Reply> acceptInvitation(ApiRequest request) {
        var caller = request.user();
        return invitations
                .accept(request.trail(), caller.user().id(), caller.token().session(), request.pathParam("token"))
                .map(Reply::ok);
    }
}
