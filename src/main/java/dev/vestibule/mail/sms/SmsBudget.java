package dev.vestibule.mail.sms;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.config.SmsSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Database;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.budget.Budget;
import dev.vestibule.project.budget.BudgetKind;
import dev.vestibule.project.budget.BudgetUse;
import dev.vestibule.project.budget.Budgets;
import dev.vestibule.project.budget.SpentBudget;
import dev.vestibule.telemetry.metrics.MessageMeters;
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
 * begins with its first SMS. A request counts whether or not an SMS is sent for it in the end, which would tell of
 * accounts.
 */
final class SmsBudget {
    private static final Logger LOG = LoggerFactory.getLogger(SmsBudget.class);
    private static final Duration DAY = Duration.ofDays(1);
    private static final String PROJECT = "project";

    private final Budgets budgets;
    private final KeyedHash networkHash;
    private final SmsSettings settings;
    private final MessageMeters meters;

    SmsBudget(MasterKeys masterKeys, LimitSettings limits, SmsSettings settings, MessageMeters meters, Clock clock) {
        this.budgets = new Budgets(BudgetKind.SMS, limits, clock);
        this.networkHash = new KeyedHash(masterKeys, "networks of sms");
        this.settings = settings;
        this.meters = meters;
    }

    /** Fails with a 429 where one of them is spent; the transaction must then roll back. */
    Future<Void> take(SqlClient transaction, ProjectId project, Buffer numberHash, Buffer network) {
        var networkKey = Buffer.buffer(networkHash.hash(network.getBytes()));
        var asked = List.of(
                new Budget.Key("number", numberHash).limitedTo(settings.perNumberPerDay(), DAY),
                new Budget.Key("network", networkKey).limitedTo(settings.perNetworkPerDay(), DAY),
                Budget.Key.ofProject(PROJECT).limitedTo(settings.perProjectPerDay(), DAY));
        return budgets.use(transaction, project, asked).compose(result -> {
            result.uses().stream()
                    .filter(this::isLastOfProject)
                    .forEach(last -> Database.afterCommit(transaction, () -> spent(project)));
            return result.refusal().<Future<Void>>map(this::refuse).orElseGet(Future::succeededFuture);
        });
    }

    private Future<Void> refuse(SpentBudget spent) {
        meters.overBudget(spent.scope());
        return Future.failedFuture(spent.error(
                ErrorCode.TOO_MANY_SMS,
                "Too many codes by SMS today. Try again later, or sign in another way.",
                "sms"));
    }

    private boolean isLastOfProject(BudgetUse use) {
        return use.scope().equals(PROJECT) && use.used() == settings.perProjectPerDay();
    }

    private void spent(ProjectId project) {
        meters.spent();
        LOG.warn(
                "Project {} has spent its SMS of the day (sms.perProjectPerDay, {}): nobody signs in to it by SMS until the"
                        + " day is over. Unless so many people do, someone makes you pay for SMS to numbers of theirs.",
                project,
                settings.perProjectPerDay());
    }
}
