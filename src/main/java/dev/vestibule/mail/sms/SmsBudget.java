package dev.vestibule.mail.sms;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.config.SmsSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.RateLimitState;
import dev.vestibule.mail.sms.SmsBudgetStore.Window;
import dev.vestibule.project.ProjectId;
import dev.vestibule.telemetry.metrics.SmsMeters;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what SMS can cost, on all nodes together: for a number, a client's network and a project, each in a day that
 * begins with its first SMS. A request counts whether or not an SMS is sent for it in the end, which would tell of accounts.
 */
final class SmsBudget {
    private static final Logger LOG = LoggerFactory.getLogger(SmsBudget.class);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int BATCH = 1000;

    private final SmsBudgetStore store = new SmsBudgetStore();
    private final KeyedHash networkHash;
    private final LimitSettings limits;
    private final SmsSettings settings;
    private final SmsMeters meters;
    private final Clock clock;

    SmsBudget(MasterKeys masterKeys, LimitSettings limits, SmsSettings settings, SmsMeters meters, Clock clock) {
        this.networkHash = new KeyedHash(masterKeys, "networks of sms");
        this.limits = limits;
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
    }

    /** Fails with a 429 where one of them is spent; the transaction must then roll back, so that nothing is counted. */
    Future<Void> take(SqlClient transaction, ProjectId project, Buffer numberHash, Buffer network) {
        if (!limits.enabled()) {
            return Future.succeededFuture();
        }
        var now = clock.instant();
        var networkKey = Buffer.buffer(networkHash.hash(network.getBytes()));
        return store.take(transaction, project, numberHash, networkKey, now, now.minus(DAY))
                .map(windows -> {
                    check(transaction, project, windows);
                    return null;
                });
    }

    private void check(SqlClient transaction, ProjectId project, List<Window> windows) {
        for (var window : windows) {
            var limit = limitOf(window.scope());
            if (window.requests() > limit) {
                meters.overBudget(window.scope());
                throw ApiException.tooManyRequests(
                        "Too many codes by SMS today. Try again later, or sign in in another way.",
                        Duration.between(clock.instant(), window.start().plus(DAY)),
                        new RateLimitState("sms", limit, DAY, 0));
            }
        }
        windows.stream()
                .filter(window -> window.scope().equals("project") && window.requests() == settings.perProjectPerDay())
                .forEach(last -> Database.afterCommit(transaction, () -> spent(project)));
    }

    private void spent(ProjectId project) {
        meters.spent();
        LOG.warn(
                "Project {} has spent its SMS of the day (sms.perProjectPerDay, {}): nobody signs in to it by SMS until the"
                        + " day is over. Unless so many people do, someone makes you pay for SMS to numbers of theirs.",
                project,
                settings.perProjectPerDay());
    }

    private int limitOf(String scope) {
        return switch (scope) {
            case "number" -> settings.perNumberPerDay();
            case "network" -> settings.perNetworkPerDay();
            default -> settings.perProjectPerDay();
        };
    }

    Future<Void> purge(Database database) {
        var before = clock.instant().minus(DAY);
        return Batches.repeat(
                () -> store.purge(database.writes(), before, BATCH).map(removed -> removed == BATCH));
    }
}
