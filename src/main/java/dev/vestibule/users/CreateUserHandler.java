package dev.vestibule.users;

import dev.vestibule.caller.CallerHandler;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.database.Database;
import dev.vestibule.error.Refusal;
import dev.vestibule.error.RefusedException;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserStore;
import dev.vestibule.users.NewAccounts.Outcome;
import dev.vestibule.users.NewAccounts.Result;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;
import java.util.Objects;

/** {@code POST /v1/dashboard/users}: makes a user, whose password may come as another system's hash. */
public final class CreateUserHandler implements ApiHandler {
    private final Database database;
    private final UserStore users;
    private final PasswordHasher hasher;
    private final NewAccounts accounts;
    private final Clock clock;

    public CreateUserHandler(Database database, UserStore users, PasswordHasher hasher, Clock clock) {
        this.database = database;
        this.users = users;
        this.hasher = hasher;
        this.accounts = new NewAccounts(database, new NewAccountStore(), clock);
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = CallerHandler.project(ctx).id();
        var now = clock.instant();
        var account = Fields.read(Body.of(ctx), fields -> NewAccountFields.read(fields, now));
        return refuseTakenEmail(project, account)
                .compose(free -> hashed(account))
                .compose(hashed -> accounts.create(project, List.of(hashed)))
                .map(results -> Reply.created(created(results.get(0))));
    }

    /** Before the hash, so that a taken email costs none; the insert decides. */
    private Future<Void> refuseTakenEmail(ProjectId project, NewAccount account) {
        return users.emailIsTaken(database.reads(), project, account.email())
                .compose(taken -> taken ? Future.failedFuture(emailTaken()) : Future.succeededFuture());
    }

    private Future<NewAccount> hashed(NewAccount account) {
        var plain = account.password().plain();
        return plain == null
                ? Future.succeededFuture(account)
                : hasher.hash(plain).map(account::withPasswordHash);
    }

    private static User created(Result result) {
        if (result.outcome() == Outcome.IDENTITY_TAKEN) {
            throw Refusal.conflict("One of the identities is another user's.");
        }
        if (result.outcome() == Outcome.EMAIL_TAKEN) {
            throw emailTaken();
        }
        return Objects.requireNonNull(result.user());
    }

    private static RefusedException emailTaken() {
        return Refusal.conflict("This email is already registered.");
    }
}
