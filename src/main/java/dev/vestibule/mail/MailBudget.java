package dev.vestibule.mail;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.config.MailSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.limits.ClientNetwork;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.budget.Budget;
import dev.vestibule.project.budget.BudgetKind;
import dev.vestibule.project.budget.BudgetUse;
import dev.vestibule.project.budget.Budgets;
import dev.vestibule.project.budget.SpentBudget;
import dev.vestibule.session.Device;
import dev.vestibule.session.KnownNetwork;
import dev.vestibule.telemetry.metrics.MessageMeters;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the mails that anybody can have this server send, on all nodes together, in days that begin with their first
 * one.
 *
 * <p>For a client's network and a project, what is asked for counts, whether or not a mail is sent in the end, which
 * would tell of accounts. For an address, what is sent counts, where nobody has proved that it is theirs: it has no
 * account, or one that never verified it. Owners are bounded by the quota of the hour alone, or strangers could use up
 * their day.
 *
 * <p>Only mails with codes and links count. Notices do not: they go to an owner who has proved the address, at most one
 * of a kind an hour, and no flood may hold them back, or the links in them that undo a change. Invitations have budgets
 * of their own. Networks from which an account with a proved email signed in lately have separate budgets of the same
 * size, so that an owner gets a code or a reset at home even when strangers have spent all others.
 */
final class MailBudget {
    private static final Logger LOG = LoggerFactory.getLogger(MailBudget.class);
    private static final Duration DAY = Duration.ofDays(1);
    private static final String NETWORK = "network";
    private static final String PROJECT = "project";
    private static final String KNOWN = "known_";

    private final Budgets budgets;
    private final KeyedHash networkHash;
    private final MailSettings settings;
    private final MessageMeters meters;

    MailBudget(MasterKeys masterKeys, LimitSettings limits, MailSettings settings, MessageMeters meters, Clock clock) {
        this.networkHash = new KeyedHash(masterKeys, "networks of mails");
        this.budgets = new Budgets(BudgetKind.MAILS, limits, clock);
        this.settings = settings;
        this.meters = meters;
    }

    /**
     * Fails with a 429 where a budget is spent. Do not call this in a transaction with other statements: all requests
     * of a project wait for its row.
     *
     * @param device the client whose network asks; null for the application's own server, whose users are of many
     *     networks
     */
    Future<Void> take(SqlClient db, ProjectId project, @Nullable Device device, Optional<KnownNetwork> known) {
        var prefix = known.filter(KnownNetwork::isProven).isPresent() ? KNOWN : "";
        var perNetwork = device == null ? Integer.MAX_VALUE : settings.perNetworkPerDay();
        var asked = List.of(
                new Budget.Key(prefix + NETWORK, network(device)).limitedTo(perNetwork, DAY),
                Budget.Key.ofProject(prefix + PROJECT).limitedTo(settings.perProjectPerDay(), DAY));
        return budgets.use(db, project, asked).compose(result -> {
            result.uses().stream().filter(this::isLastOfProject).forEach(last -> warn(project));
            return result.refusal().<Future<Void>>map(this::refuse).orElseGet(Future::succeededFuture);
        });
    }

    /** The widest network that one customer has. */
    private Buffer network(@Nullable Device device) {
        var network = ClientNetwork.widestOf(device == null ? null : device.ipAddress());
        return Buffer.buffer(networkHash.hash(network.orElseGet(() -> new byte[0])));
    }

    private boolean isLastOfProject(BudgetUse use) {
        return use.scope().endsWith(PROJECT) && use.used() == settings.perProjectPerDay();
    }

    private void warn(ProjectId project) {
        meters.spent();
        LOG.warn(
                "Project {} has spent its mails of the day (mail.perProjectPerDay, {}): until the day is over, codes and"
                        + " links are mailed to nobody who asks for them in a network that the account does not know."
                        + " Unless so many people do, someone makes you send mails to strangers.",
                project,
                settings.perProjectPerDay());
    }

    private Future<Void> refuse(SpentBudget spent) {
        meters.overBudget(spent.scope().endsWith(NETWORK) ? NETWORK : PROJECT);
        return Future.failedFuture(spent.error(
                ErrorCode.TOO_MANY_MAILS, "Too many mails today. Try again later, or sign in another way.", "mails"));
    }

    /**
     * Whether an address that nobody has proved may get one more mail; it has separate budgets before and after it gets
     * an account.
     */
    Future<Boolean> takeOfAddress(SqlClient db, ProjectId project, Buffer addressHash, boolean hasAccount) {
        var key = new Budget.Key(hasAccount ? "unproven" : "address", addressHash);
        return budgets.use(db, project, List.of(key.limitedTo(settings.perAddressPerDay(), DAY)))
                .map(result -> {
                    result.refusal().ifPresent(spent -> meters.overBudget("address"));
                    return result.refusal().isEmpty();
                });
    }
}
