package dev.vestibule.authentication.dashboard;

import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.authentication.PasswordSignUp;
import dev.vestibule.authentication.PasswordSignUp.Applicant;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.SystemProject;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/dashboard/auth/register}: makes a dashboard user, as far as the operator lets strangers do so. */
public final class RegisterHandler implements ApiHandler {
    private record Given(
            String email, String password, @Nullable String displayName) {}

    private final Database database;
    private final SystemProject system;
    private final RegistrationPolicy policy;
    private final PasswordSignUp signUp;
    private final DeviceReader devices;

    public RegisterHandler(
            Database database,
            SystemProject system,
            RegistrationPolicy policy,
            PasswordSignUp signUp,
            DeviceReader devices) {
        this.database = database;
        this.system = system;
        this.policy = policy;
        this.signUp = signUp;
        this.devices = devices;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var given = Fields.read(Body.of(ctx), RegisterHandler::given);
        return policy.check(database.reads())
                .compose(open -> system.get())
                .compose(project -> signUp.run(applicant(ctx, project, given), policy::checkInTransaction))
                .map(Reply::created);
    }

    private static Given given(Fields fields) {
        var email = fields.required("email", UserFields::email);
        return new Given(
                email,
                fields.required("password", UserFields.newPasswordOf(email)),
                fields.optional("displayName", UserFields::displayName));
    }

    private Applicant applicant(RoutingContext ctx, Project project, Given given) {
        return new Applicant(
                project,
                ApiVariant.A,
                given.email(),
                given.password(),
                given.displayName(),
                RequestLanguage.of(ctx, project),
                devices.read(ctx));
    }
}
