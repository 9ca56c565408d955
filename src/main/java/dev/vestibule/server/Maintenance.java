package dev.vestibule.server;

import dev.vestibule.App;
import dev.vestibule.database.Database;
import dev.vestibule.database.GrownTables;
import dev.vestibule.project.SecretResealing;
import dev.vestibule.project.administration.NodeReports;
import dev.vestibule.project.budget.Budgets;
import dev.vestibule.server.MaintenanceVerticle.Task;
import dev.vestibule.token.KeyRotation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.function.Supplier;

/**
 * The periodic work of a node that no request waits for: purges, key rotation, resealing of secrets; for each database
 * on its own.
 */
public final class Maintenance {
    private static final Duration KEY_CHECK = Duration.ofHours(1);
    private static final Duration PARTITION_CHECK = Duration.ofHours(1);
    private static final Duration STATISTICS_PURGE = Duration.ofHours(1);
    private static final Duration CHANGE_PURGE = Duration.ofMinutes(5);
    private static final Duration ENDING_CHECK = Duration.ofSeconds(1);
    private static final Duration ARRIVAL_CHECK = Duration.ofSeconds(1);
    private static final Duration GROWTH_CHECK = Duration.ofSeconds(2);

    private Maintenance() {}

    /** The work of this node, on a database of its own. */
    public static MaintenanceVerticle of(App app, Database database, KeyRotation rotation) {
        var sweep = app.settings.sessions().sweepInterval();
        var intervals = app.settings.projects();
        Supplier<Future<Void>> writeKeyUsage = () -> app.projects.keyUsage.flush(database);
        var lockout = app.authentication.signIns.lockout(database);
        var deliveries = app.webhooks.purge(database);
        var renewal = new SecretResealing(database, app.sealedSecrets());
        var tasks = new ArrayList<Task>();
        tasks.add(Task.every(sweep, "removing expired sessions", () -> app.sessions.purge(database)));
        tasks.add(Task.every(sweep, "forgetting failed sign ins", lockout::purge));
        tasks.add(Task.every(
                sweep, "removing old codes", () -> app.mail.mails.codes().purge(database)));
        tasks.add(Task.every(sweep, "forgetting spent budgets", () -> Budgets.purge(database, app.clock.instant())));
        tasks.add(Task.every(
                sweep,
                "removing old quotas of notices",
                () -> app.mail.mails.outbox().purge(database)));
        tasks.add(Task.every(
                sweep,
                "removing old changes of emails",
                () -> app.mail.mails.changes().purge(database)));
        tasks.add(Task.every(
                sweep, "removing unfinished second factors", () -> app.authentication.factors.purge(database)));
        tasks.add(Task.every(
                sweep,
                "removing unfinished uses of passkeys and wallets",
                () -> app.authentication
                        .passkeys
                        .purge(database)
                        .compose(purged -> app.authentication.wallets.purge(database))));
        tasks.add(Task.every(
                sweep, "forgetting solved captchas and used tokens", () -> app.projects.purgeUsedOnce(database)));
        tasks.add(Task.every(sweep, "removing old invitations", () -> app.invitations.purge(database)));
        tasks.add(Task.every(
                sweep, "removing old invitations to organizations", () -> app.organizations.purge(database)));
        tasks.add(
                Task.every(sweep, "looking at the records of domains", () -> app.organizations.checkDomains(database)));
        tasks.add(Task.every(sweep, "forgetting slugs", () -> app.projects.purgeSlugs(database)));
        tasks.add(Task.every(sweep, "removing old deliveries", deliveries::run));
        tasks.add(Task.every(sweep, "removing unfinished sign ins with providers", () -> app.oauth.purge(database)));
        tasks.add(Task.every(sweep, "removing old codes of the hosted page", () -> app.signInPages.purge(database)));
        tasks.add(Task.every(sweep, "removing expired authorizations", () -> app.authorizationServer.purge(database)));
        tasks.add(Task.every(
                ENDING_CHECK,
                "removing what depended on clients and APIs",
                () -> app.authorizationServer.removeEnded(database)));
        tasks.add(Task.every(sweep, "removing old revocations", () -> app.tokens.revocations.purge(database)));
        tasks.add(Task.every(
                CHANGE_PURGE, "removing old changes", () -> app.feed.purge(database.shard(), database.writes())));
        tasks.add(Task.every(GROWTH_CHECK, "analyzing tables that have grown", () -> GrownTables.analyze(database)));
        tasks.add(Task.every(KEY_CHECK, "rotating signing keys", rotation::run));
        tasks.add(Task.fromTheStart(KEY_CHECK, "resealing secrets under the current master secret", renewal::run));
        tasks.add(Task.every(intervals.keyUseInterval(), "writing when API keys were used", writeKeyUsage));
        tasks.add(Task.every(
                intervals.deletionInterval(),
                "removing the rows of deleted projects",
                () -> app.projects.removeDeleted(database)));
        if (!app.otherShards().isEmpty()) {
            tasks.add(
                    Task.every(ARRIVAL_CHECK, "ending moves of projects", () -> app.projects.settleArrivals(database)));
        }
        Supplier<Future<Void>> writeNoted = () -> app.journal.auditLog.flush(database);
        var partitions = app.journal.partitions(database);
        tasks.add(Task.every(app.settings.audit().noteInterval(), "writing refused sign ins", writeNoted));
        tasks.add(Task.every(
                sweep,
                "telling of refused sign ins that are not written",
                () -> app.journal.auditLog.reportUnwritten(database)));
        tasks.add(Task.every(PARTITION_CHECK, "making partitions of the audit log", partitions::maintain));
        Supplier<Future<Void>> writeActivity = () -> app.journal.activity.flush(database);
        tasks.add(Task.every(app.settings.statistics().interval(), "writing what was counted", writeActivity));
        tasks.add(Task.every(STATISTICS_PURGE, "removing old counts", () -> app.journal.activity.purge(database)));
        var reports = app.administration.reports;
        if (database.shard().isHome()) {
            tasks.add(Task.fromTheStart(
                    NodeReports.INTERVAL, "telling that this node runs", () -> reports.send(database)));
        }
        return new MaintenanceVerticle(
                tasks,
                () -> Future.join(writeKeyUsage.get(), writeNoted.get(), writeActivity.get(), reports.end(database))
                        .mapEmpty());
    }
}
