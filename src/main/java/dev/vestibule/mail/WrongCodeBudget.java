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
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Bounds the wrong codes of email verification and of SMS, on all nodes together: for each account and day whatever codes it had,
 * as long as a mail was requested and its tries are not used up, and for each project and hour. Beyond the project's
 * budget only a network (an IPv4 address, or a /48) without a wrong code of its own in that hour may still try: so
 * guessing stops, and no attacker keeps all users of a project from verifying.
 */
public final class WrongCodeBudget {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int BATCH = 1000;

    private final WrongCodeStore store = new WrongCodeStore();
    private final KeyedHash networkHash;
    private final LimitSettings limits;
    private final Clock clock;

    public WrongCodeBudget(MasterKeys masterKeys, LimitSettings limits, Clock clock) {
        this.networkHash = new KeyedHash(masterKeys, "networks of wrong codes");
        this.limits = limits;
        this.clock = clock;
    }

    public CodeTry attempt(ProjectId project, Buffer addressHash, Buffer network) {
        return new CodeTry(project, addressHash, Buffer.buffer(networkHash.hash(network.getBytes())));
    }

    /** Fails with a 429 before the code is compared, so that even a right one tells nothing. */
    public Future<Void> require(SqlClient transaction, CodeTry attempt) {
        if (!limits.enabled()) {
            return Future.succeededFuture();
        }
        return store.find(transaction, attempt).map(counts -> {
            var now = clock.instant();
            var account = tries(counts, "account", now.minus(DAY));
            if (account >= limits.wrongCodesPerDay()) {
                throw exhausted(counts, "account", limits.wrongCodesPerDay(), DAY);
            }
            if (tries(counts, "project", now.minus(HOUR)) >= limits.wrongCodesPerHour()
                    && tries(counts, "network", now.minus(HOUR)) > 0) {
                throw exhausted(counts, "project", limits.wrongCodesPerHour(), HOUR);
            }
            return null;
        });
    }

    private static int tries(List<Count> counts, String scope, Instant before) {
        return counts.stream()
                .filter(count ->
                        count.scope().equals(scope) && count.windowStart().isAfter(before))
                .mapToInt(Count::tries)
                .sum();
    }

    private ApiException exhausted(List<Count> counts, String scope, int quota, Duration window) {
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

    /** Counts for the account only if asked to, and for the network and the project in any case. */
    public Future<Void> countWrong(SqlClient transaction, CodeTry attempt, boolean countsForAccount) {
        var now = clock.instant();
        return limits.enabled()
                ? store.add(transaction, attempt, countsForAccount, now, now.minus(DAY), now.minus(HOUR))
                : Future.succeededFuture();
    }

    /** Gives the account all tries of a day again; networks and the project get none. */
    public Future<Void> forget(SqlClient db, ProjectId project, Buffer addressHash) {
        return store.remove(db, project, addressHash);
    }

    Future<Void> purge(Database database) {
        var before = clock.instant().minus(DAY);
        return Batches.repeat(
                () -> store.purge(database.writes(), before, BATCH).map(removed -> removed == BATCH));
    }
}
