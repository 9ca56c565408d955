package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.PasswordSignUp;
import dev.vestibule.authentication.PasswordSignUp.SignUpRequest;
import dev.vestibule.authentication.dashboard.RegistrationPolicy.Applicant;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.LocalRequest;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.SystemProject;
import dev.vestibule.user.UserFields;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/dashboard/auth/register}: creates a dashboard user, if the configuration allows it. */
public final class RegisterHandler implements ApiHandler {
    private record Request(
            String email,
            String password,
            @Nullable String displayName,
            @Nullable String setupCode) {
        @Override
        public String toString() {
            return "RegisterRequest";
        }
    }

    private final Database database;
    private final SystemProject system;
    private final RegistrationPolicy policy;
    private final PasswordSignUp signUp;
    private final NewPasswords passwords;
    private final DeviceReader devices;

    public RegisterHandler(
            Database database,
            SystemProject system,
            RegistrationPolicy policy,
            PasswordSignUp signUp,
            NewPasswords passwords,
            DeviceReader devices) {
        this.database = database;
        this.system = system;
        this.policy = policy;
        this.signUp = signUp;
        this.passwords = passwords;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var request = Fields.read(Body.of(ctx), this::request);
        var applicant = new Applicant(LocalRequest.is(ctx.request()), request.setupCode());
        return system.get()
                .compose(project -> policy.check(database.reads(), project, applicant)
                        .compose(open -> signUp.run(
                                request(ctx, project, request),
                                transaction -> policy.checkInTransaction(transaction, project, applicant))))
                .map(Reply::created);
    }

    private Request request(Fields fields) {
        var email = fields.required("email", UserFields::email);
        var displayName = fields.optional("displayName", UserFields::displayName);
        return new Request(
                email,
                fields.required("password", passwords.rule(email, displayName, SystemProject.NAME)),
                displayName,
                fields.optional("setupCode", text -> text));
    }

    private SignUpRequest request(RoutingContext ctx, Project project, Request request) {
        return new SignUpRequest(
                project,
                ApiVariant.A,
                request.email(),
                request.password(),
                request.displayName(),
                RequestLanguage.of(ctx, project),
                devices.read(ctx));
    }
}
