package dev.vestibule.user;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.audit.AuditEvent;
import dev.vestibule.audit.AuditTrail;
import dev.vestibule.audit.Target;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.Violation;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.user.imports.UserCreation;
import dev.vestibule.user.imports.UserCreation.Result;
import dev.vestibule.user.imports.UserCreationStore;
import dev.vestibule.user.imports.UserToCreateFields;
import dev.vestibule.user.password.NewPasswords;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;

/** {@code POST /v1/dashboard/users}: creates a user, optionally with the password hash of another system. */
public final class CreateUserHandler implements ApiHandler {
    private final UserToCreateFields rules;
    private final UserCreation accounts;
    private final Auditor audit;
    private final Clock clock;

    public CreateUserHandler(
            Database database,
            EventOutbox events,
            NewPasswords passwords,
            UserToCreateFields rules,
            Auditor audit,
            Clock clock) {
        this.rules = rules;
        this.accounts = new UserCreation(
                database,
                new UserCreationStore(),
                events,
                (project, password) -> passwords.hash(project, "password", password),
                clock);
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var now = clock.instant();
        var project = Caller.project(ctx);
        var account = Fields.readStrictly(Body.of(ctx), fields -> {
            fields.optional("provider", rules::wayIn); // which links nothing: an identity is known by its subject
            return rules.read(fields, project, now);
        });
        var trail = audit.of(ctx);
        return accounts.create(
                        project.id(), List.of(account), (transaction, created) -> record(trail, transaction, created))
                .map(results -> Reply.created(created(results.get(0), account.email() == null)));
    }

    private static Future<Void> record(AuditTrail trail, SqlConnection transaction, List<UserId> created) {
        return trail.record(
                transaction, AuditEvent.USER_CREATED, Target.user(created.get(0).value()));
    }

    private static ManagedUser created(Result result, boolean isWithoutEmail) {
        var user = result.user();
        if (user == null) {
            throw switch (result.outcome()) {
                case ID_TAKEN -> ApiException.conflict("Another user has this id.");
                case EXTERNAL_ID_TAKEN -> UserErrors.externalIdTaken();
                case IDENTITY_TAKEN -> ApiException.conflict("Another user has one of the identities.");
                case ISSUER_UNKNOWN ->
                    ApiException.invalid(List.of(new Violation(
                            "identities", "must name their issuer, or the provider must be set up before")));
                default ->
                    ApiException.conflict(
                            isWithoutEmail
                                    ? "A user with this id or one of these identities exists."
                                    : "This email is already registered.");
            };
        }
        return user;
    }
}
