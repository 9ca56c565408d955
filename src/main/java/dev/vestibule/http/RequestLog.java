package dev.vestibule.http;

import dev.vestibule.config.LogSettings;
import dev.vestibule.error.ErrorStatus;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs a line for each request that was slow or failed by the server's fault, or for all requests. The line has the
 * template of the path, and no query: a path may contain an invitation's token, and a query the code of a provider.
 */
public final class RequestLog implements Handler<RoutingContext> {
    private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

    /** As in nginx: the client closed the connection before it got a response. */
    private static final int CLOSED_BY_CLIENT = 499;

    private final boolean logsAll;
    private final long slowNanos;

    public RequestLog(LogSettings settings) {
        this.logsAll = settings.requests();
        this.slowNanos = settings.slow().toNanos();
    }

    @Override
    public void handle(RoutingContext ctx) {
        var record = RequestRecord.of(ctx.request());
        ctx.addEndHandler(answered -> {
            var status = answered.succeeded() ? ctx.response().getStatusCode() : CLOSED_BY_CLIENT;
            var nanos = record.nanos();
            var isNotable = status >= ErrorStatus.INTERNAL.code() || nanos >= slowNanos;
            if (isNotable || logsAll) {
                write(isNotable ? Level.WARN : Level.INFO, record, status, nanos);
            }
        });
        ctx.next();
    }

    private static void write(Level level, RequestRecord record, int status, long nanos) {
        var line = LOG.atLevel(level)
                .setMessage(status == CLOSED_BY_CLIENT ? "Closed by the client" : "Answered")
                .addKeyValue("route", record.route() == null ? "none" : record.route())
                .addKeyValue("status", status)
                .addKeyValue("millis", Duration.ofNanos(nanos).toMillis());
        var withProject = add(line, "project", record.project());
        var withKey = add(withProject, "key", record.key());
        add(withKey, "user", record.user()).log();
    }

    private static LoggingEventBuilder add(LoggingEventBuilder line, String name, @Nullable Object value) {
        return value == null ? line : line.addKeyValue(name, value);
    }
}
