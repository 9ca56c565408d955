package dev.vestibule.project.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.config.EffectiveSetting;
import dev.vestibule.config.Settings;
import dev.vestibule.database.ChangeFeed;
import dev.vestibule.database.Database;
import dev.vestibule.database.Shard;
import dev.vestibule.http.Reply;
import dev.vestibule.project.administration.BacklogStore.Backlog;
import dev.vestibule.project.administration.NodeReportStore.NodeReport;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
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

    /** A further database; without version and time if it does not answer. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    private record ShardHealth(
            String name, @Nullable String version, @Nullable Long answeredInMillis) {}

    private record Health(
            UUID nodeId,
            DatabaseHealth database,
            List<ShardHealth> shards,
            boolean hearsChanges,
            Outbox mails,
            Outbox sms,
            Outbox webhooks) {}

    /**
     * {@code GET /v1/dashboard/administration/health}: the databases, and what waits to be sent in those that answer,
     * as this node sees them.
     */
    public Future<Reply> health(ApiRequest request) {
        var others = database.shards().stream()
                .filter(shard -> !shard.isHome())
                .map(this::shardHealth)
                .toList();
        return Future.join(others).transform(asked -> {
            var up = others.stream()
                    .filter(health -> health.result().version() != null)
                    .map(health -> database.at(new Shard(health.result().name())))
                    .toList();
            var all = Stream.concat(Stream.of(database.home()), up.stream()).toList();
            var mails = sum(all, backlogs::mails);
            var sms = sum(all, backlogs::sms);
            var deliveries = sum(all, backlogs::deliveries);
            return Future.all(databaseHealth(), mails, sms, deliveries)
                    .map(found -> Reply.ok(new Health(
                            reports.node(),
                            found.resultAt(0),
                            others.stream().map(Future::result).toList(),
                            feed.isHealthy(),
                            new Outbox(settings.smtp().url().isPresent(), mails.result()),
                            new Outbox(settings.sms().url().isPresent(), sms.result()),
                            new Outbox(true, deliveries.result()))));
        });
    }

    private static Future<Backlog> sum(List<Database> databases, Function<SqlClient, Future<Backlog>> count) {
        var counts = databases.stream().map(one -> count.apply(one.writes())).toList();
        return Future.all(counts)
                .map(all -> counts.stream().map(Future::result).reduce(Backlog.NOTHING, Backlog::plus));
    }

    private Future<DatabaseHealth> databaseHealth() {
        var home = database.home();
        return home.answerTime()
                .compose(time -> backlogs.databaseVersion(home.reads())
                        .map(version -> new DatabaseHealth(
                                version, settings.database().url().isEmpty(), time.toMillis())));
    }

    private Future<ShardHealth> shardHealth(Shard shard) {
        var at = database.at(shard);
        return at.answerTime()
                .compose(time -> backlogs.databaseVersion(at.reads())
                        .map(version -> new ShardHealth(shard.name(), version, time.toMillis())))
                .otherwise(new ShardHealth(shard.name(), null, null));
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
