package dev.vestibule.users;

import dev.vestibule.database.Database;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.users.NewAccountStore.Written;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes accounts, one or many at once, and tells what became of each. */
final class NewAccounts {
    private static final int TRIES = 5;

    /** Why an account was made, or was not. */
    enum Outcome {
        CREATED,
        EMAIL_TAKEN,
        IDENTITY_TAKEN
    }

    /** What became of one account; the user where it was made. */
    record Result(Outcome outcome, @Nullable User user) {}

    private final Database database;
    private final NewAccountStore store;
    private final Clock clock;

    NewAccounts(Database database, NewAccountStore store, Clock clock) {
        this.database = database;
        this.store = store;
        this.clock = clock;
    }

    /** What became of each, in the order given; all that are made are made at once. */
    Future<List<Result>> create(ProjectId project, List<NewAccount> accounts) {
        return create(project, accounts, TRIES);
    }

    private Future<List<Result>> create(ProjectId project, List<NewAccount> accounts, int tries) {
        return store.insertAll(database.writes(), project, accounts, clock.instant())
                .compose(written -> results(project, accounts, written))
                // The next try sees whatever came between.
                .recover(failure -> tries > 1 && SqlFailures.isRace(failure)
                        ? create(project, accounts, tries - 1)
                        : Future.failedFuture(failure));
    }

    /** An account whose email is taken is told so first: its identities are then most likely its own, of an earlier run. */
    private Future<List<Result>> results(ProjectId project, List<NewAccount> accounts, List<Written> written) {
        var refused = IntStream.range(0, accounts.size())
                .filter(i -> written.get(i).isIdentityTaken())
                .mapToObj(i -> accounts.get(i).email())
                .toList();
        return (refused.isEmpty()
                        ? Future.succeededFuture(Set.<String>of())
                        : store.takenEmails(database.writes(), project, refused))
                .map(taken -> {
                    var results = new ArrayList<Result>(accounts.size());
                    for (int i = 0; i < accounts.size(); i++) {
                        var hasTakenEmail = taken.contains(accounts.get(i).email());
                        results.add(result(written.get(i), hasTakenEmail));
                    }
                    return results;
                });
    }

    private static Result result(Written written, boolean hasTakenEmail) {
        if (written.user() != null) {
            return new Result(Outcome.CREATED, written.user());
        }
        return new Result(
                written.isIdentityTaken() && !hasTakenEmail ? Outcome.IDENTITY_TAKEN : Outcome.EMAIL_TAKEN, null);
    }
}
