package dev.vestibule.mail;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.RateLimitState;
import dev.vestibule.mail.WrongCodeStore.Count;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.KnownNetwork;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Bounds the wrong codes of mails, SMS and second factors, on all nodes together: for each account and day whatever codes it
 * had, as long as a mail was requested and its tries are not used up, and for each project and hour. Beyond the project's
 * budget only a network (an IPv4 address, or a /48) without a wrong code of its own in that hour may still try: so
 * guessing stops, and no attacker keeps all users of a project from verifying.
 *
 * <p>What strangers use up keeps no owner out: each network that an account signed in from lately has a budget of a day of
 * its own, and so has a change of email or number, whose codes are guessed for an account of the one who guesses. So of one account
 * at most 20 codes a day are guessed by strangers, and 20 from each network that let its owner in. For a second factor that is
 * one which both factors have let in, and of all networks together at most 60 a day: a reader of the mails has as many networks
 * known for the password as they reset it from.
 */
public final class WrongCodeBudget {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int BATCH = 1000;

    /** Of ten codes with 50 bits each: so many that it takes long to use them up, and to guess one would take a million years. */
    private static final int BACKUP_CODES_PER_DAY = 10_000;

    /** How many times as many wrong one-time passwords all networks of an account may have together. */
    private static final int NETWORKS_OF_FACTOR = 3;

    private static final String ACCOUNT = "account";
    private static final String KNOWN_NETWORK = "known";
    private static final String ASKER = "asker";
    private static final String CHANGE = "change";
    private static final String TOTP = "totp";
    private static final String ALL_TOTP = "all_totp";
    private static final String BACKUP_CODE = "backup_code";
    private static final String NETWORK = "network";
    private static final String PROJECT = "project";

    private final WrongCodeStore store = new WrongCodeStore();
    private final KeyedHash networkHash;
    private final KeyedHash userHash;
    private final LimitSettings limits;
    private final Clock clock;

    public WrongCodeBudget(MasterKeys masterKeys, LimitSettings limits, Clock clock) {
        this.networkHash = new KeyedHash(masterKeys, "networks of wrong codes");
        this.userHash = new KeyedHash(masterKeys, "users of wrong codes");
        this.limits = limits;
        this.clock = clock;
    }

    /**
     * A try of a code that was sent to an address or a number, by a client's network, which the account may know. Then a right code passes though strangers used up the account's tries,
     * and where the email was proved, though they used up the project's; of an email that was not, anyone may have made the
     * account, and would have more guesses than the project allows.
     */
    public CodeTry attempt(ProjectId project, Buffer addressHash, Buffer network, Optional<KnownNetwork> known) {
        var account = new CodeTry.Key(ACCOUNT, addressHash);
        var own = known.map(found ->
                        new CodeTry.Key(KNOWN_NETWORK, addressHash.copy().appendBuffer(found.key())))
                .orElse(account);
        return new CodeTry(
                project,
                List.of(own.perDay(limits.wrongCodesPerDay())),
                known.isPresent() ? List.of(account) : List.of(),
                shared(network),
                known.filter(KnownNetwork::isProven).isPresent());
    }

    /**
     * A try of a code that was sent for a change of email or number: counted for the user who asked, whatever the address, and for the
     * address, whoever asks. Neither is the budget of the codes that verify or sign in the address's own account.
     */
    public CodeTry ofChange(ProjectId project, UserId asker, Buffer addressHash, Buffer network) {
        var own = List.of(
                new CodeTry.Key(ASKER, hash(asker)).perDay(limits.wrongCodesPerDay()),
                new CodeTry.Key(CHANGE, addressHash).perDay(limits.wrongCodesPerDay()));
        return new CodeTry(project, own, List.of(), shared(network), false);
    }

    /** A try of a second factor, by someone who has proved the first one; the network is one that both have let in. */
    public CodeTry ofFactor(ProjectId project, UserId user, boolean isBackupCode, Optional<KnownNetwork> known) {
        var perDay = limits.wrongCodesPerDay();
        var own = isBackupCode
                ? List.of(ofFactor(BACKUP_CODE, user, known).perDay(BACKUP_CODES_PER_DAY))
                : List.of(
                        ofFactor(TOTP, user, known).perDay(perDay),
                        new CodeTry.Key(ALL_TOTP, hash(user)).perDay(NETWORKS_OF_FACTOR * perDay));
        return new CodeTry(project, own, List.of(), List.of(), false);
    }

    private CodeTry.Key ofFactor(String kind, UserId user, Optional<KnownNetwork> known) {
        return known.map(found -> new CodeTry.Key(kind, hash(user).copy().appendBuffer(found.key())))
                .orElseGet(() -> new CodeTry.Key(kind, hash(user)));
    }

    private List<CodeTry.Key> shared(Buffer network) {
        return List.of(
                new CodeTry.Key(NETWORK, Buffer.buffer(networkHash.hash(network.getBytes()))),
                new CodeTry.Key(PROJECT, Buffer.buffer()));
    }

    private Buffer hash(UserId user) {
        return Buffer.buffer(userHash.hash(user.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Fails with a 429 before the code is compared, so that even a right one tells nothing. Otherwise returns what a wrong
     * one is answered with, where it is not the usual answer: what anyone would get from there, so that a neighbour does not
     * learn whose account knows the network.
     */
    public Future<Optional<ApiException>> require(SqlClient transaction, CodeTry attempt) {
        return find(transaction, attempt).map(counts -> {
            var others = attempt.ofOthers().stream()
                    .map(key -> key.perDay(limits.wrongCodesPerDay()))
                    .toList();
            var ofOthers = exhausted(counts, others).or(() -> exhaustedByProject(counts));
            var refusal = exhausted(counts, attempt.own())
                    .or(() -> attempt.isTrusted()
                            ? Optional.empty()
                            : attempt.ofOthers().isEmpty() ? ofOthers : exhaustedByProject(counts));
            refusal.ifPresent(error -> {
                throw error;
            });
            return ofOthers;
        });
    }

    /** Fails as {@link #require} does; otherwise returns whether there were wrong codes before. */
    public Future<Boolean> requireOwn(SqlClient transaction, CodeTry attempt) {
        return find(transaction, attempt).map(counts -> {
            exhausted(counts, attempt.own()).ifPresent(error -> {
                throw error;
            });
            return !counts.isEmpty();
        });
    }

    private Future<List<Count>> find(SqlClient transaction, CodeTry attempt) {
        return limits.enabled()
                ? store.find(transaction, attempt.project(), attempt.all())
                : Future.succeededFuture(List.of());
    }

    private Optional<ApiException> exhausted(List<Count> counts, List<CodeTry.Budget> budgets) {
        return budgets.stream()
                .filter(budget -> tries(counts, budget.key().scope(), DAY) >= budget.perDay())
                .map(budget -> error(counts, budget.key().scope(), budget.perDay(), DAY))
                .findFirst();
    }

    private Optional<ApiException> exhaustedByProject(List<Count> counts) {
        return tries(counts, PROJECT, HOUR) >= limits.wrongCodesPerHour() && tries(counts, NETWORK, HOUR) > 0
                ? Optional.of(error(counts, PROJECT, limits.wrongCodesPerHour(), HOUR))
                : Optional.empty();
    }

    private int tries(List<Count> counts, String scope, Duration window) {
        var before = clock.instant().minus(window);
        return counts.stream()
                .filter(count ->
                        count.scope().equals(scope) && count.windowStart().isAfter(before))
                .mapToInt(Count::tries)
                .sum();
    }

    private ApiException error(List<Count> counts, String scope, int quota, Duration window) {
        var end = counts.stream()
                .filter(count -> count.scope().equals(scope))
                .map(count -> count.windowStart().plus(window))
                .findFirst()
                .orElseThrow();
        return ApiException.tooManyRequests(
                "Too many wrong codes. Try again later.",
                Duration.between(clock.instant(), end),
                new RateLimitState("wrong-codes", quota, window, 0));
    }

    /** Counts in the own budgets only if asked to, and for the network and the project in any case. */
    public Future<Void> countWrong(SqlClient transaction, CodeTry attempt, boolean countsForOwn) {
        return countWrong(transaction, attempt, false, countsForOwn);
    }

    /** Counts for the account, and for the network if that is known, only if asked to. */
    Future<Void> countWrong(
            SqlClient transaction, CodeTry attempt, boolean countsForAccount, boolean countsForKnownNetwork) {
        var now = clock.instant();
        var isKnown = !attempt.ofOthers().isEmpty();
        var keys = new ArrayList<CodeTry.Key>();
        if (isKnown ? countsForKnownNetwork : countsForAccount || countsForKnownNetwork) {
            keys.addAll(attempt.ownKeys());
        }
        if (countsForAccount) {
            keys.addAll(attempt.ofOthers());
        }
        keys.addAll(attempt.shared());
        return limits.enabled() && !keys.isEmpty()
                ? store.add(transaction, attempt.project(), keys, now, now.minus(DAY), now.minus(HOUR))
                : Future.succeededFuture();
    }

    /** Gives the account all tries of a day again, from whatever network; networks and the project get none. */
    public Future<Void> forget(SqlClient db, ProjectId project, Buffer addressHash) {
        return store.removeAll(db, project, List.of(ACCOUNT, KNOWN_NETWORK, CHANGE), addressHash);
    }

    /** Gives a user's second factors all tries of a day again. */
    public Future<Void> forgetFactors(SqlClient db, ProjectId project, UserId user) {
        return store.removeAll(db, project, List.of(TOTP, ALL_TOTP, BACKUP_CODE), hash(user));
    }

    /**
     * Call this once a second factor was right: gives its network all tries again; without one that is known, strangers. An
     * owner who signs in from home every day gives strangers no new tries, nor all networks together.
     */
    public Future<Void> forgetAfterSuccess(
            SqlClient transaction, ProjectId project, UserId user, Optional<KnownNetwork> known) {
        return store.remove(
                transaction, project, List.of(ofFactor(TOTP, user, known), ofFactor(BACKUP_CODE, user, known)));
    }

    Future<Void> purge(Database database) {
        var before = clock.instant().minus(DAY);
        return Batches.repeat(
                () -> store.purge(database.writes(), before, BATCH).map(removed -> removed == BATCH));
    }
}
