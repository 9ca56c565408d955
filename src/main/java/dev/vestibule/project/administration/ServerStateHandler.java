package dev.vestibule.project.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.config.EffectiveSetting;
import dev.vestibule.config.Settings;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.project.administration.BacklogStore.Backlog;
import dev.vestibule.project.administration.NodeReportStore.NodeReport;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How the server is, {@code /v1/dashboard/administration}: one method per operation. */
public final class ServerStateHandler {
    private final Database database;
    private final NodeReports reports;
    private final NodeReportStore nodes = new NodeReportStore();
    private final BacklogStore backlogs = new BacklogStore();
    private final ChangeFeed feed;
    private final Settings settings;

    ServerStateHandler(Database database, NodeReports reports, ChangeFeed feed, Settings settings) {
        this.database = database;
        this.reports = reports;
        this.feed = feed;
        this.settings = settings;
    }

    private record NodeList(List<NodeReport> nodes) {}

    /** {@code GET /v1/dashboard/administration/nodes}: the nodes of the last day, by their own reports. */
    public Future<Reply> listNodes(ApiRequest request) {
        return nodes.list(database.writes()).map(found -> Reply.ok(new NodeList(found)));
    }

    private record DatabaseHealth(String version, boolean isEmbedded, long answeredInMillis) {}

    private record Outbox(boolean isOn, Backlog backlog) {}

    private record Health(
            UUID nodeId, DatabaseHealth database, boolean hearsChanges, Outbox mails, Outbox sms, Outbox webhooks) {}

    /**
     * {@code GET /v1/dashboard/administration/health}: the database, and what waits to be sent, as this node sees them.
     */
    public Future<Reply> health(ApiRequest request) {
        var mails = backlogs.mails(database.writes());
        var sms = backlogs.sms(database.writes());
        var deliveries = backlogs.deliveries(database.writes());
        return Future.all(databaseHealth(), mails, sms, deliveries)
                .map(all -> Reply.ok(new Health(
                        reports.node(),
                        all.resultAt(0),
                        feed.isHealthy(),
                        new Outbox(settings.smtp().url().isPresent(), mails.result()),
                        new Outbox(settings.sms().url().isPresent(), sms.result()),
                        new Outbox(true, deliveries.result()))));
    }

    private Future<DatabaseHealth> databaseHealth() {
        return database.answerTime()
                .compose(time -> backlogs.databaseVersion(database.reads())
                        .map(version -> new DatabaseHealth(
                                version, settings.database().url().isEmpty(), time.toMillis())));
    }

    /** The origin says where it is set: the variable, or the file and the line; null for a default. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    private record SettingItem(
            String name,
            @Nullable String value,
            String source,
            @Nullable String origin) {
        private static SettingItem of(EffectiveSetting setting) {
            return new SettingItem(
                    setting.name(),
                    setting.value().isEmpty() ? null : setting.value(),
                    setting.source().text(),
                    setting.origin().isEmpty() ? null : setting.origin());
        }
    }

    private record SettingList(UUID nodeId, List<SettingItem> settings) {}

    /** {@code GET /v1/dashboard/administration/settings}: the settings of this node in effect, without secrets. */
    public Future<Reply> listSettings(ApiRequest request) {
        var items = settings.report().settings().stream().map(SettingItem::of).toList();
        return Future.succeededFuture(Reply.ok(new SettingList(reports.node(), items)));
    }
}
