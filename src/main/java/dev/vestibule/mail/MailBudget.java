package dev.vestibule.mail;

import dev.vestibule.config.LimitSettings;
import dev.vestibule.config.MailSettings;
import dev.vestibule.crypto.KeyedHash;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Batches;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.RateLimitState;
import dev.vestibule.limits.ClientNetwork;
import dev.vestibule.mail.MailBudgetStore.Window;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.Device;
import dev.vestibule.session.KnownNetwork;
import dev.vestibule.telemetry.metrics.MailMeters;
import io.netty.util.NetUtil;
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
 * Bounds the mails that anybody can have this server send, on all nodes together, in days that begin with their first one.
 *
 * <p>For a client's network and a project, what is asked for counts, whether or not a mail is sent in the end, which would
 * tell of accounts. For an address, what is sent counts, where nobody has proved that it is theirs: it has no account, or one
 * that never verified it. Owners are bounded by the quota of the hour alone, or strangers could use up their day.
 *
 * <p>What counts are mails with codes and links. Not notices: they go to an owner who has proved the address, at most one of
 * a kind an hour, and no flood may keep them back, nor the links that undo a change. Not invitations either, which have
 * budgets of their own. Networks from which an account with a proved email signed in lately have budgets apart, of the same
 * size, so that an owner gets a code or a reset at home while strangers have spent all else.
 */
final class MailBudget {
    private static final Logger LOG = LoggerFactory.getLogger(MailBudget.class);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int BATCH = 1000;
    private static final String NETWORK = "network";
    private static final String PROJECT = "project";
    private static final String KNOWN = "known_";

    private final MailBudgetStore store = new MailBudgetStore();
    private final KeyedHash networkHash;
    private final LimitSettings limits;
    private final MailSettings settings;
    private final MailMeters meters;
    private final Clock clock;

    MailBudget(MasterKeys masterKeys, LimitSettings limits, MailSettings settings, MailMeters meters, Clock clock) {
        this.networkHash = new KeyedHash(masterKeys, "networks of mails");
        this.limits = limits;
        this.settings = settings;
        this.meters = meters;
        this.clock = clock;
    }

    /**
     * Fails with a 429 where a budget is spent. Not in a transaction of more statements: all who ask in a project wait for
     * its row.
     *
     * @param device whose network asks; null for the application's own server, whose users are of many networks
     */
    Future<Void> take(SqlClient db, ProjectId project, @Nullable Device device, Optional<KnownNetwork> known) {
        if (!limits.enabled()) {
            return Future.succeededFuture();
        }
        var now = clock.instant();
        var prefix = known.filter(KnownNetwork::isProven).isPresent() ? KNOWN : "";
        var network = new CodeTry.Key(prefix + NETWORK, network(device));
        var perNetwork = device == null ? Integer.MAX_VALUE : settings.perNetworkPerDay();
        return store.take(
                        db,
                        project,
                        network,
                        prefix + PROJECT,
                        perNetwork,
                        settings.perProjectPerDay(),
                        now,
                        now.minus(DAY))
                .compose(mails -> mails.isPresent()
                        ? taken(project, mails.get())
                        : refuse(db, project, network, prefix + PROJECT, perNetwork));
    }

    /** The widest network that one customer has. */
    private Buffer network(@Nullable Device device) {
        var ip = device == null ? null : device.ipAddress();
        var address = ip == null ? null : NetUtil.createInetAddressFromIpAddressString(ip);
        return Buffer.buffer(networkHash.hash(ClientNetwork.widestOf(address)));
    }

    private Future<Void> taken(ProjectId project, int mails) {
        if (mails == settings.perProjectPerDay()) {
            meters.spent();
            LOG.warn(
                    "Project {} has spent its mails of the day (mail.perProjectPerDay, {}): until the day is over, codes and"
                            + " links are mailed to nobody who asks for them in a network that the account does not know."
                            + " Unless so many people do, someone makes you send mails to strangers.",
                    project,
                    mails);
        }
        return Future.succeededFuture();
    }

    private Future<Void> refuse(
            SqlClient db, ProjectId project, CodeTry.Key network, String projectScope, int perNetwork) {
        return store.find(db, project, network, projectScope).compose(windows -> {
            var spent = spent(windows, network.scope(), perNetwork)
                    .or(() -> spent(windows, projectScope, settings.perProjectPerDay()));
            var isNetworks = spent.filter(window -> window.scope().equals(network.scope()))
                    .isPresent();
            meters.overBudget(isNetworks ? NETWORK : PROJECT);
            // Of two who took the last one at once, one may find a window that has just begun again.
            var end = spent.map(window -> window.start().plus(DAY))
                    .orElseGet(() -> clock.instant().plusSeconds(1));
            return Future.failedFuture(ApiException.tooManyRequests(
                    "Too many mails today. Try again later, or sign in in another way.",
                    Duration.between(clock.instant(), end),
                    new RateLimitState("mails", isNetworks ? perNetwork : settings.perProjectPerDay(), DAY, 0)));
        });
    }

    private Optional<Window> spent(List<Window> windows, String scope, int perDay) {
        var oldest = clock.instant().minus(DAY);
        return windows.stream()
                .filter(window ->
                        window.scope().equals(scope) && window.start().isAfter(oldest) && window.mails() >= perDay)
                .findFirst();
    }

    /** Whether an address that nobody has proved may get one more; with an account apart from before there was one. */
    Future<Boolean> takeOfAddress(SqlClient db, ProjectId project, Buffer addressHash, boolean hasAccount) {
        if (!limits.enabled()) {
            return Future.succeededFuture(true);
        }
        var now = clock.instant();
        var key = new CodeTry.Key(hasAccount ? "unproven" : "address", addressHash);
        return store.takeOne(db, project, key, settings.perAddressPerDay(), now, now.minus(DAY))
                .onSuccess(isTaken -> {
                    if (!isTaken) {
                        meters.overBudget("address");
                    }
                });
    }

    Future<Void> purge(Database database) {
        var before = clock.instant().minus(DAY);
        return Batches.repeat(
                () -> store.purge(database.writes(), before, BATCH).map(removed -> removed == BATCH));
    }
}
