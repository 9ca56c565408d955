package dev.vestibule.user.imports;

import dev.vestibule.crypto.foreign.ForeignHash;
import dev.vestibule.crypto.foreign.ForeignHashes;
import dev.vestibule.crypto.foreign.HashCost;
import dev.vestibule.database.Database;
import dev.vestibule.database.SqlFailures;
import dev.vestibule.journal.Event;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Journal;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.ManagedUser;
import dev.vestibule.user.UserId;
import dev.vestibule.user.imports.UserCreationStore.InsertResult;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
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

    /** Records that users were created, in the transaction that creates them; not called if none were. */
    @FunctionalInterface
    public interface Recording {
        Future<Void> created(SqlConnection transaction, List<UserId> users);
    }

    /** Whether a user was created, or why not. */
    public enum Outcome {
        CREATED,
        /** A user already has the email or, if there is none, the id or one of the identities. */
        EXISTS,
        ID_TAKEN,
        EXTERNAL_ID_TAKEN,
        /** Nothing but the phone could sign the user in, and it is the verified number of another user. */
        PHONE_TAKEN,
        IDENTITY_TAKEN,
        /** The project has not set up the provider of an identity, so its issuer is unknown. */
        ISSUER_UNKNOWN
    }

    /** The outcome for one user: the user if it was created, and the id of the created or existing user. */
    public record Result(
            Outcome outcome,
            @Nullable ManagedUser user,
            @Nullable UserId id) {
        static Result created(ManagedUser user) {
            return new Result(Outcome.CREATED, user, user.user().id());
        }

        static Result exists(UserId id) {
            return new Result(Outcome.EXISTS, null, id);
        }

        static Result refused(Outcome why) {
            return new Result(why, null, null);
        }
    }

    private final Database database;
    private final UserCreationStore store;
    private final Journal journal;
    private final Hashing hashing;
    private final Clock clock;
    private final boolean isDryRun;

    public UserCreation(Database database, UserCreationStore store, Journal journal, Hashing hashing, Clock clock) {
        this(database, store, journal, hashing, clock, false);
    }

    private UserCreation(
            Database database,
            UserCreationStore store,
            Journal journal,
            Hashing hashing,
            Clock clock,
            boolean isDryRun) {
        this.database = database;
        this.store = store;
        this.journal = journal;
        this.hashing = hashing;
        this.clock = clock;
        this.isDryRun = isDryRun;
    }

    /**
     * Returns the same outcomes, and undoes each statement. So users who clash with one of another call are not found.
     */
    UserCreation dryRun() {
        return new UserCreation(
                database, store, journal, (project, password) -> Future.succeededFuture(""), clock, true);
    }

    boolean isDryRun() {
        return isDryRun;
    }

    /**
     * Analyzes the tables after many inserts. A plan that was made while the tables were empty looks up users by the
     * project only, so every user would cost more than the one before.
     */
    Future<Void> analyze() {
        return isDryRun
                ? Future.succeededFuture()
                : store.analyze(database.writes()).otherwiseEmpty(); // the import continues without it
    }

    /** Creates all users with one statement, and returns the outcomes in the given order. */
    public Future<List<Result>> create(ProjectId project, List<UserToCreate> accounts, Recording recording) {
        return (isDryRun ? Future.<Void>succeededFuture() : raiseHighestCost(project, accounts))
                .compose(raised -> withTakenPhone(project, accounts))
                .compose(refused -> createOthers(project, accounts, refused, recording));
    }

    private Future<List<Result>> createOthers(
            ProjectId project, List<UserToCreate> accounts, Set<UserId> withTakenPhone, Recording recording) {
        return existingWithPassword(project, accounts)
                .compose(existing -> hashed(
                                project,
                                accounts.stream()
                                        .filter(account -> !existing.containsKey(account.email())
                                                && !withTakenPhone.contains(account.id()))
                                        .toList())
                        .compose(hashed -> insert(project, hashed, recording, TRIES))
                        .map(results -> accounts.stream()
                                .map(account -> withTakenPhone.contains(account.id())
                                        ? Result.refused(Outcome.PHONE_TAKEN)
                                        : Objects.requireNonNullElseGet(
                                                results.get(account.id()),
                                                () -> Result.exists(
                                                        Objects.requireNonNull(existing.get(account.email())))))
                                .toList()));
    }

    /** With the verified number of somebody else, neither of the two could sign in by SMS. */
    private Future<Set<UserId>> withTakenPhone(ProjectId project, List<UserToCreate> accounts) {
        var byPhone = accounts.stream()
                .filter(account -> account.isKnownByExternalId() && account.canSignInBySms())
                .toList();
        if (byPhone.isEmpty()) {
            return Future.succeededFuture(Set.of());
        }
        var phones = byPhone.stream().map(UserToCreate::phone).distinct().toList();
        return store.verifiedPhones(database.writes(), project, phones).map(holders -> {
            var taken = new HashSet<UserId>();
            for (var account : byPhone) {
                var externalId = Objects.requireNonNull(account.externalId());
                var holder = holders.putIfAbsent(Objects.requireNonNull(account.phone()), externalId);
                if (holder != null && !holder.equals(externalId)) {
                    taken.add(account.id());
                }
            }
            return taken;
        });
    }

    /** Runs before the users exist, so that none of their failed sign ins takes longer than others. */
    private Future<Void> raiseHighestCost(ProjectId project, List<UserToCreate> accounts) {
        return accounts.stream()
                .flatMap(account -> Stream.ofNullable(account.password().hash()))
                .flatMap(hash -> ForeignHashes.parse(hash).stream())
                .map(ForeignHash::cost)
                .reduce(HashCost::and)
                .map(cost -> store.raiseHighestCost(database.writes(), project, cost))
                .orElseGet(Future::succeededFuture);
    }

    /**
     * Looks up the emails of the users with a plain password, to save hashes for taken ones. The insert itself decides.
     */
    private Future<Map<String, UserId>> existingWithPassword(ProjectId project, List<UserToCreate> accounts) {
        var emails = accounts.stream()
                .filter(account -> account.password().plain() != null)
                .flatMap(account -> Stream.ofNullable(account.email()))
                .toList();
        return emails.isEmpty()
                ? Future.succeededFuture(new HashMap<>()) // also looked up with null, for a user without an email
                : store.byEmail(database.writes(), project, emails);
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

    private Future<Map<UserId, Result>> insert(
            ProjectId project, List<UserToCreate> accounts, Recording recording, int tries) {
        if (accounts.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        return inTransaction(transaction -> insertAll(transaction, project, accounts, recording, clock.instant())
                        .compose(written -> results(transaction, project, accounts, written)))
                // The next try sees what the concurrent transaction wrote.
                .recover(failure -> tries > 1 && SqlFailures.isRace(failure)
                        ? insert(project, accounts, recording, tries - 1)
                        : Future.failedFuture(failure));
    }

    private <T> Future<T> inTransaction(Function<SqlConnection, Future<T>> work) {
        return isDryRun ? database.inUndoneTransaction(work) : database.inTransaction(work);
    }

    private Future<List<InsertResult>> insertAll(
            SqlConnection transaction,
            ProjectId project,
            List<UserToCreate> accounts,
            Recording recording,
            Instant now) {
        return store.insertAll(transaction, project, accounts, now)
                .compose(written -> journal.publish(transaction, events(accounts, written))
                        .compose(recorded -> record(transaction, recording, written))
                        .map(written));
    }

    private static Future<Void> record(SqlConnection transaction, Recording recording, List<InsertResult> written) {
        var created = written.stream()
                .flatMap(outcome -> Stream.ofNullable(outcome.user()))
                .map(managed -> managed.user().id())
                .toList();
        return created.isEmpty() ? Future.succeededFuture() : recording.created(transaction, created);
    }

    private static List<Event.Draft> events(List<UserToCreate> accounts, List<InsertResult> written) {
        var recorded = new ArrayList<Event.Draft>();
        for (int i = 0; i < accounts.size(); i++) {
            var created = written.get(i).user();
            if (created != null) {
                var user = created.user();
                recorded.add(new Event.Draft(EventKind.USER_CREATED, user, Map.of()));
                for (var identity : accounts.get(i).identities()) {
                    recorded.add(new Event.Draft(
                            EventKind.PROVIDER_LINKED,
                            user,
                            Map.of("provider", identity.provider().name())));
                }
            }
        }
        return recorded;
    }

    /**
     * Checks a taken email first: the id and identities then most likely belong to that same user, from an earlier run.
     */
    private Future<Map<UserId, Result>> results(
            SqlConnection transaction, ProjectId project, List<UserToCreate> accounts, List<InsertResult> written) {
        var results = new HashMap<UserId, Result>();
        var refused = new LinkedHashMap<UserToCreate, InsertResult>();
        for (int i = 0; i < accounts.size(); i++) {
            var user = written.get(i).user();
            if (user != null) {
                results.put(user.user().id(), Result.created(user));
            } else {
                refused.put(accounts.get(i), written.get(i));
            }
        }
        if (refused.isEmpty()) {
            return Future.succeededFuture(results);
        }
        var emails = refused.keySet().stream()
                .flatMap(account -> Stream.ofNullable(account.email()))
                .toList();
        var externalIds = refused.keySet().stream()
                .flatMap(account -> Stream.ofNullable(account.externalId()))
                .toList();
        return store.byEmail(transaction, project, emails)
                .compose(existing -> byExternalId(transaction, project, externalIds)
                        .map(taken -> {
                            refused.forEach((account, outcome) ->
                                    results.put(account.id(), refusal(account, outcome, existing, taken)));
                            return results;
                        }));
    }

    private Future<Map<String, UserId>> byExternalId(
            SqlConnection transaction, ProjectId project, List<String> externalIds) {
        return externalIds.isEmpty()
                ? Future.succeededFuture(Map.of())
                : store.byExternalId(transaction, project, externalIds);
    }

    private static Result refusal(
            UserToCreate account, InsertResult written, Map<String, UserId> byEmail, Map<String, UserId> byExternalId) {
        var email = account.email();
        var sameEmail = email == null ? null : byEmail.get(email);
        var owner = written.identityOwner();
        if (sameEmail != null) {
            return Result.exists(sameEmail);
        }
        if (written.lacksIssuer()) {
            return Result.refused(Outcome.ISSUER_UNKNOWN);
        }
        if (owner != null) {
            return email == null ? Result.exists(owner) : Result.refused(Outcome.IDENTITY_TAKEN);
        }
        var externalId = account.externalId();
        var sameExternalId = externalId == null ? null : byExternalId.get(externalId);
        if (sameExternalId != null && !sameExternalId.equals(account.id())) {
            return account.isKnownByExternalId()
                    ? Result.exists(sameExternalId) // nothing else tells that it is the same user as in an earlier run
                    : Result.refused(Outcome.EXTERNAL_ID_TAKEN);
        }
        return email == null ? Result.exists(account.id()) : Result.refused(Outcome.ID_TAKEN);
    }
}
