package dev.vestibule.user.imports;

import dev.vestibule.crypto.foreign.ForeignHash;
import dev.vestibule.crypto.foreign.ForeignHashes;
import dev.vestibule.crypto.foreign.HashCost;
import dev.vestibule.database.Database;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.event.Event;
import dev.vestibule.event.EventKind;
import dev.vestibule.event.EventOutbox;
import dev.vestibule.oauth.identity.ProviderEvents;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.User;
import dev.vestibule.user.UserEvents;
import dev.vestibule.user.UserId;
import dev.vestibule.user.imports.UserCreationStore.Written;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates users, one or many at once, and returns the outcome of each. */
public final class UserCreation {
    private static final int TRIES = 5;

    /** Hashes a password: either fails at once when the pool is full, or retries. */
    @FunctionalInterface
    public interface Hashing {
        Future<String> hash(ProjectId project, String password);
    }

    /** Whether a user was created, or why not. */
    public enum Outcome {
        CREATED,
        EMAIL_TAKEN,
        IDENTITY_TAKEN,
        /** The project has not set up the provider of an identity, so its issuer is unknown. */
        ISSUER_UNKNOWN
    }

    /** The outcome for one user; the user if it was created. */
    public record Result(Outcome outcome, @Nullable User user) {
        static final Result EMAIL_TAKEN = new Result(Outcome.EMAIL_TAKEN, null);
    }

    private final Database database;
    private final UserCreationStore store;
    private final EventOutbox events;
    private final Hashing hashing;
    private final Clock clock;

    public UserCreation(Database database, UserCreationStore store, EventOutbox events, Hashing hashing, Clock clock) {
        this.database = database;
        this.store = store;
        this.events = events;
        this.hashing = hashing;
        this.clock = clock;
    }

    /**
     * Analyzes the tables after many inserts. A plan made while the tables were empty looks up users by the project alone,
     * so that every user would cost more than the one before.
     */
    Future<Void> analyze() {
        return store.analyze(database.writes()).otherwiseEmpty(); // the import goes on without it
    }

    /** The outcomes in the given order. One statement creates all users. */
    public Future<List<Result>> create(ProjectId project, List<UserToCreate> accounts) {
        return raiseDearest(project, accounts)
                .compose(raised -> takenEmailsWithPassword(project, accounts))
                .compose(taken -> hashed(
                        project,
                        accounts.stream()
                                .filter(account -> !taken.contains(account.email()))
                                .toList()))
                .compose(hashed -> insert(project, hashed, TRIES))
                .map(results -> accounts.stream()
                        .map(account -> results.getOrDefault(account.id(), Result.EMAIL_TAKEN))
                        .toList());
    }

    /** Before the users are there, so that no failed sign in of them takes longer than others. */
    private Future<Void> raiseDearest(ProjectId project, List<UserToCreate> accounts) {
        return accounts.stream()
                .flatMap(account -> Stream.ofNullable(account.password().hash()))
                .flatMap(hash -> ForeignHashes.parse(hash).stream())
                .map(ForeignHash::cost)
                .max(Comparator.comparingLong(HashCost::usualMicros))
                .map(cost -> store.raiseDearest(database.writes(), project, cost))
                .orElseGet(Future::succeededFuture);
    }

    /** Taken emails among those with a password in plain, to save their hashes. The insert is what decides. */
    private Future<Set<String>> takenEmailsWithPassword(ProjectId project, List<UserToCreate> accounts) {
        return takenEmails(
                project,
                accounts.stream()
                        .filter(account -> account.password().plain() != null)
                        .toList());
    }

    private Future<Set<String>> takenEmails(ProjectId project, List<UserToCreate> accounts) {
        return accounts.isEmpty()
                ? Future.succeededFuture(Set.of())
                : store.takenEmails(
                        database.writes(),
                        project,
                        accounts.stream().map(UserToCreate::email).toList());
    }

    /** Hashes one password after the other, so that an import occupies only one hashing thread. */
    private Future<List<UserToCreate>> hashed(ProjectId project, List<UserToCreate> accounts) {
        Future<List<UserToCreate>> all = Future.succeededFuture(new ArrayList<>(accounts.size()));
        for (var account : accounts) {
            var plain = account.password().plain();
            all = all.compose(done -> (plain == null
                            ? Future.succeededFuture(account)
                            : hashing.hash(project, plain).map(account::withPasswordHash))
                    .map(hashed -> {
                        done.add(hashed);
                        return done;
                    }));
        }
        return all;
    }

    private Future<Map<UserId, Result>> insert(ProjectId project, List<UserToCreate> accounts, int tries) {
        if (accounts.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        return database.inTransaction(transaction -> insertAll(transaction, project, accounts, clock.instant()))
                .compose(written -> results(project, accounts, written))
                // The next try sees what the concurrent transaction wrote.
                .recover(failure -> tries > 1 && SqlFailures.isRace(failure)
                        ? insert(project, accounts, tries - 1)
                        : Future.failedFuture(failure));
    }

    private Future<List<Written>> insertAll(
            SqlConnection transaction, ProjectId project, List<UserToCreate> accounts, Instant now) {
        return store.insertAll(transaction, project, accounts, now)
                .compose(written -> events.record(transaction, events(accounts, written, now))
                        .map(written));
    }

    private static List<Event> events(List<UserToCreate> accounts, List<Written> written, Instant now) {
        var recorded = new ArrayList<Event>();
        for (int i = 0; i < accounts.size(); i++) {
            var user = written.get(i).user();
            if (user != null) {
                recorded.add(UserEvents.of(EventKind.USER_CREATED, user, now));
                for (var identity : accounts.get(i).identities()) {
                    recorded.add(ProviderEvents.of(
                            EventKind.PROVIDER_LINKED, user, identity.provider().name(), now));
                }
            }
        }
        return recorded;
    }

    /** A taken email comes first: the identities then most likely belong to that same user, from an earlier run. */
    private Future<Map<UserId, Result>> results(ProjectId project, List<UserToCreate> accounts, List<Written> written) {
        var results = new HashMap<UserId, Result>();
        var refused = new LinkedHashMap<UserToCreate, Outcome>();
        for (int i = 0; i < accounts.size(); i++) {
            var outcome = written.get(i);
            var id = accounts.get(i).id();
            if (outcome.user() != null) {
                results.put(id, new Result(Outcome.CREATED, outcome.user()));
            } else if (outcome.isIdentityTaken()) {
                refused.put(accounts.get(i), outcome.lacksIssuer() ? Outcome.ISSUER_UNKNOWN : Outcome.IDENTITY_TAKEN);
            }
        }
        return takenEmails(project, List.copyOf(refused.keySet())).map(taken -> {
            refused.forEach((account, outcome) -> {
                if (!taken.contains(account.email())) {
                    results.put(account.id(), new Result(outcome, null));
                }
            });
            return results;
        });
    }
}
