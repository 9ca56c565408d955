package dev.vestibule.project.member;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.RateLimitState;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;

/**
 * Keeps invitations from becoming a way to flood strangers with mail: a dashboard user may send so many a day, so many of
 * them to one address, and an address get so many in all, in all projects and on all nodes together. The last is the
 * largest, so that one inviter cannot use up what an address may get from others.
 */
public final class InvitationBudget {
    private static final Duration WINDOW = Duration.ofDays(1);
    private static final int BATCH = 1000;

    private final InvitationBudgetStore store = new InvitationBudgetStore();
    private final KeyedHash keys;
    private final LimitSettings limits;
    private final Clock clock;

    public InvitationBudget(MasterKeys masterKeys, LimitSettings limits, Clock clock) {
        this.keys = new KeyedHash(masterKeys, "invitation budgets");
        this.limits = limits;
        this.clock = clock;
    }

    /** Fails with a 429 where one of them has reached its limit; the transaction must then roll back. */
    Future<Void> take(SqlClient transaction, UserId inviter, String email) {
        return limits.enabled()
                ? take(transaction, "user " + inviter, limits.invitationsPerDay(), "invitationsPerDay")
                        .compose(allowed -> take(
                                transaction,
                                "user " + inviter + " email " + email,
                                limits.invitationsToOneAddressPerDay(),
                                "invitationsToOneAddressPerDay"))
                        .compose(allowed -> take(
                                transaction,
                                "email " + email,
                                limits.invitationsPerAddressPerDay(),
                                "invitationsPerAddressPerDay"))
                : Future.succeededFuture();
    }

    private Future<Void> take(SqlClient transaction, String key, int limit, String setting) {
        var now = clock.instant();
        var hash = Buffer.buffer(keys.hash(key.getBytes(StandardCharsets.UTF_8)));
        return store.take(transaction, ProjectId.SYSTEM, hash, now, now.minus(WINDOW))
                .compose(window -> window.invitations() <= limit
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.tooManyRequests(
                                "Too many invitations in a day (the server's setting limits." + setting
                                        + "). Try again later.",
                                Duration.between(now, window.start().plus(WINDOW)),
                                new RateLimitState("invitations", limit, WINDOW, 0))));
    }

    Future<Void> purge(Database database) {
        var before = clock.instant().minus(WINDOW);
        return Batches.repeat(
                () -> store.purge(database.writes(), before, BATCH).map(removed -> removed == BATCH));
    }
}
