package dev.vestibule.audit;

import dev.vestibule.access.Auditor;
import dev.vestibule.access.Caller;
import dev.vestibule.access.DeviceReader;
import dev.vestibule.config.ExportSettings;
import dev.vestibule.database.Database;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.http.ReplyLines;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.TransferSlots;
import dev.vestibule.user.exports.LineExport;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code GET /v1/dashboard/audit-logs/export}: streams every entry that the filters find, newest first, each as a line. */
public final class ExportAuditLogsHandler implements ApiHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ExportAuditLogsHandler.class);

    private final Database database;
    private final AuditListStore store;
    private final TransferSlots slots;
    private final ExportSettings limits;
    private final DeviceReader devices;
    private final Auditor audit;
    private final Clock clock;

    ExportAuditLogsHandler(
            Database database,
            AuditListStore store,
            TransferSlots slots,
            ExportSettings limits,
            DeviceReader devices,
            Auditor audit,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.slots = slots;
        this.limits = limits;
        this.devices = devices;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var project = Caller.project(ctx).id();
        var filter = Query.read(ctx, AuditFilter::read);
        if (ctx.request().method().equals(HttpMethod.HEAD)) {
            return Future.succeededFuture(new Reply(
                    200, Buffer.buffer(), Map.of("Content-Type", ReplyLines.TYPE, "Cache-Control", "no-store")));
        }
        var trail = audit.of(ctx);
        var slot = slots.take(project, devices.network(ctx));
        var lines = new ReplyLines(ctx.response(), limits.waitingBytes());
        return record(trail, filter)
                .compose(recorded -> export(ctx, project, filter, lines))
                .eventually(() -> {
                    slots.release(slot);
                    return Future.succeededFuture();
                })
                .compose(entries -> lines.end())
                .recover(failure -> cutOff(ctx, project, lines, failure))
                .map(sent -> Reply.alreadySent());
    }

    /** Before anything is sent: nobody reads the log unseen by breaking off at the last line. */
    private Future<Void> record(AuditTrail trail, AuditFilter filter) {
        return database.inTransaction(transaction ->
                trail.record(transaction, AuditEvent.AUDIT_EXPORTED, Target.NONE, Map.of("filters", filter.names())));
    }

    /** The pause that PostgreSQL allows is longer than a client's, so that this server is the one who ends an export. */
    private Future<Long> export(RoutingContext ctx, ProjectId project, AuditFilter filter, ReplyLines lines) {
        var context = ctx.vertx().getOrCreateContext();
        var longestPause = limits.stallTime().plus(Duration.ofSeconds(30));
        return database.inSnapshot(
                longestPause,
                snapshot -> new LineExport<AuditLine>(
                                context,
                                snapshot,
                                (last, limit) -> store.page(
                                        snapshot,
                                        project,
                                        filter,
                                        last == null ? filter.end() : last.place(),
                                        limit,
                                        0),
                                lines,
                                limits,
                                clock)
                        .run());
    }

    /** Without the end of a chunked response, every client sees that it is not complete. */
    private static Future<Void> cutOff(RoutingContext ctx, ProjectId project, ReplyLines lines, Throwable failure) {
        if (!lines.isBegun()) {
            return Future.failedFuture(failure);
        }
        LOG.warn("The export of the audit log of project {} was cut off: {}", project, failure.getMessage());
        return ctx.request().connection().close();
    }
}
