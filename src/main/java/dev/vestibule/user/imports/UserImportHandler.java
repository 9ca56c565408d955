package dev.vestibule.user.imports;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.config.ImportSettings;
import dev.vestibule.crypto.PasswordHasher;
import dev.vestibule.database.Database;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.BodyLines;
import dev.vestibule.http.FailureHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.http.ReplyLines;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Journal;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.TransferSlots;
import dev.vestibule.user.imports.UserCreation.Recording;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Imports users of another system. */
public final class UserImportHandler {
    private final FailureHandler failures = new FailureHandler(SqlFailures::error);
    private static final long HASH_RETRY_MILLIS = 100;

    private record AbortLine(Object error, long line) {}

    private record Options(int skip, boolean ignoresUnknown, boolean isDryRun) {
        static Options read(Fields fields) {
            var skip = fields.optional("skip", Query.integer(0, Integer.MAX_VALUE));
            var ignoresUnknown = fields.optional("ignoreUnknown", Query.flag());
            var isDryRun = fields.optional("dryRun", Query.flag());
            return new Options(
                    Objects.requireNonNullElse(skip, 0),
                    Objects.requireNonNullElse(ignoresUnknown, false),
                    Objects.requireNonNullElse(isDryRun, false));
        }
    }

    private final TransferSlots slots;
    private final ImportSettings limits;
    private final PasswordHasher hasher;
    private final UserToCreateFields rules;
    private final UserCreation accounts;
    private final Clock clock;

    public UserImportHandler(
            Database database,
            Journal journal,
            PasswordHasher hasher,
            TransferSlots slots,
            ImportSettings limits,
            UserToCreateFields rules,
            Clock clock) {
        this.slots = slots;
        this.limits = limits;
        this.hasher = hasher;
        this.rules = rules;
        this.accounts = new UserCreation(database, new UserCreationStore(), journal, this::hash, clock);
        this.clock = clock;
    }

    /**
     * {@code POST /v1/dashboard/users/import}: creates a user from each line and answers each with a line, while the
     * client is still sending the body.
     */
    public Future<Reply> importUsers(ApiRequest request) {
        var options = request.query(Options::read);
        var answer = new ReplyLines(request.http().response(), limits.resultBytes());
        return slots.during(request.project().id(), request.network(), () -> {
                    var run = begin(request, options, answer);
                    return run.run().transform(how -> Future.succeededFuture(new Ended(run, how)));
                })
                .compose(ended -> ended.how().succeeded()
                        ? Future.<Void>succeededFuture()
                        : abort(request, answer, ended.run(), ended.how().cause()))
                .map(answered -> Reply.alreadySent());
    }

    /** An import that needs no slot any more, though its last line may still have to be sent. */
    private record Ended(UserImport run, AsyncResult<Void> how) {}

    private UserImport begin(ApiRequest request, Options options, ReplyLines answer) {
        var project = request.project();
        return new UserImport(
                new UserImport.Exchange(
                        request.vertx().getOrCreateContext(),
                        BodyLines.of(request.vertx(), request.http(), limits.lineBytes(), limits.lineTime()),
                        answer,
                        request::requireStillAllowed),
                project.id(),
                new ImportLine.Reader(rules, project, options.ignoresUnknown()),
                options.isDryRun() ? accounts.dryRun() : accounts,
                recording(request.trail()),
                clock,
                limits.limit(),
                options.skip());
    }

    /** Says where to continue, unless it is the client who has ended the import. */
    private Future<Void> abort(ApiRequest request, ReplyLines answer, UserImport run, Throwable failure) {
        if (answer.isOver()) {
            return Future.succeededFuture();
        }
        return answer.isBegun()
                ? answer.end(new AbortLine(failures.errorBody(request.context(), failure), run.lastWritten()))
                : Future.failedFuture(failure);
    }

    /**
     * Records each batch, since each has its own transaction. It records a count, because the response of the import
     * has the ids.
     */
    private static Recording recording(Trail trail) {
        return (transaction, created) ->
                trail.record(transaction, Logged.USERS_IMPORTED, Target.NONE, Map.of("users", created.size()));
    }

    /** Retries while the hashing pool is full, so that sign ins go first. */
    private Future<String> hash(ProjectId project, String password) {
        return hasher.hash(project.value(), password)
                .recover(failure ->
                        failure instanceof ApiException refused && refused.status() == ErrorStatus.UNAVAILABLE
                                ? Vertx.currentContext()
                                        .owner()
                                        .timer(HASH_RETRY_MILLIS, TimeUnit.MILLISECONDS)
                                        .compose(later -> hash(project, password))
                                : Future.failedFuture(failure));
    }
}
