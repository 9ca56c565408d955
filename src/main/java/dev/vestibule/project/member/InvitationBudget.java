package dev.vestibule.project.member;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.RateLimitState;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.budget.Budget;
import dev.vestibule.project.budget.BudgetKind;
import dev.vestibule.project.budget.Budgets;
import dev.vestibule.project.budget.SpentBudget;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Keeps invitations from becoming a way to flood strangers with mail: a user may send so many a day, so many of them to
 * one address, and an address get so many in all from the users of a project, on all nodes together. The last is the
 * largest, so that one inviter cannot use up what an address may get from others.
 */
public final class InvitationBudget {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MAIL_INTERVAL = Duration.ofMinutes(1);
    private static final String INVITER = "inviter";
    private static final String INVITER_TO_ADDRESS = "inviter_to_address";
    private static final String ADDRESS = "address";

    private final Budgets budgets;
    private final KeyedHash keys;
    private final LimitSettings limits;

    public InvitationBudget(MasterKeys masterKeys, LimitSettings limits, Clock clock) {
        this.budgets = new Budgets(BudgetKind.INVITATIONS, limits, clock);
        this.keys = new KeyedHash(masterKeys, "invitation budgets");
        this.limits = limits;
    }

    /** Fails with a 429 where one of them is spent; the inviter is a user of the project. */
    public Future<Void> take(SqlClient transaction, ProjectId project, UserId inviter, String email) {
        var asked = List.of(
                budget(INVITER, "user " + inviter, limits.invitationsPerDay()),
                budget(
                        INVITER_TO_ADDRESS,
                        "user " + inviter + " email " + email,
                        limits.invitationsToOneAddressPerDay()),
                budget(ADDRESS, "email " + email, limits.invitationsPerAddressPerDay()));
        return budgets.use(transaction, project, asked)
                .compose(result -> result.refusal()
                        .<Future<Void>>map(spent -> Future.failedFuture(refusal(spent)))
                        .orElseGet(Future::succeededFuture));
    }

    private Budget budget(String scope, String holder, int limit) {
        var hash = Buffer.buffer(keys.hash(holder.getBytes(StandardCharsets.UTF_8)));
        return new Budget.Key(scope, hash).limitedTo(limit, DAY);
    }

    private static ApiException refusal(SpentBudget spent) {
        var setting = switch (spent.scope()) {
            case INVITER -> "invitationsPerDay";
            case INVITER_TO_ADDRESS -> "invitationsToOneAddressPerDay";
            default -> "invitationsPerAddressPerDay";
        };
        return spent.error(
                ErrorCode.TOO_MANY_INVITATIONS,
                "Too many invitations today (the server's setting limits." + setting + "). Try again later.",
                "invitations");
    }

    /** A 429 for an address that was mailed an invitation a moment ago. */
    public static ApiException justMailed() {
        return ApiException.tooManyRequests(
                ErrorCode.TOO_MANY_INVITATIONS,
                "An invitation was just mailed to this address. Try again in a minute.",
                MAIL_INTERVAL,
                new RateLimitState("invitation-mails", 1, MAIL_INTERVAL, 0));
    }
}
