package dev.vestibule.journal.audit;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.config.ExportSettings;
import dev.vestibule.database.Database;
import dev.vestibule.http.Connections;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.http.ReplyLines;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.journal.audit.AuditListStore.AuditLine;
import dev.vestibule.journal.audit.AuditPeopleStore.Person;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.user.TransferSlots;
import dev.vestibule.user.exports.LineExport;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations that list and export the audit log, one method each. */
public final class AuditLogHandler {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLogHandler.class);

    /** Page numbers reach this many entries, and the total counts no further. */
    private static final int MAX_COUNTED = 10_000;

    private final Database database;
    private final AuditListStore store = new AuditListStore();
    private final AuditPeopleStore people = new AuditPeopleStore();
    private final AuditNameStore names = new AuditNameStore();
    private final TransferSlots slots;
    private final ExportSettings limits;
    private final Clock clock;

    public AuditLogHandler(Database database, TransferSlots slots, ExportSettings limits, Clock clock) {
        this.database = database;
        this.slots = slots;
        this.limits = limits;
        this.clock = clock;
    }

    private record Request(AuditFilter filter, @Nullable AuditCursor cursor, int page, int limit) {
        static Request read(Fields fields) {
            var limit = Query.limit(fields);
            var cursor = fields.optional("cursor", AuditCursor::read);
            if (cursor != null && fields.isGiven("page")) {
                fields.reject("page", "must not come with a cursor, which already says where the page begins");
            }
            var page = fields.optional("page", Query.integer(1, MAX_COUNTED / limit));
            return new Request(AuditFilter.read(fields), cursor, Objects.requireNonNullElse(page, 1), limit);
        }

        AuditCursor before() {
            return cursor == null ? filter.end() : filter.end().orEarlier(cursor);
        }
    }

    private record Response(
            List<AuditLine> data,
            long total,
            boolean totalIsExact,
            int page,
            int limit,
            @Nullable String nextCursor,
            Map<UUID, Person> people,
            Map<UUID, String> names) {}

    /** {@code GET /v1/dashboard/audit-logs}, which two other paths serve too: a page of the log, newest first. */
    public Future<Reply> list(ApiRequest request) {
        var project = request.project().id();
        var input = request.query(Request::read);
        return list(project, input).map(Reply::ok);
    }

    /** Reads one more entry than the page has, to know whether there is a next page. */
    private Future<Response> list(ProjectId project, Request input) {
        var offset = (input.page() - 1) * input.limit();
        var total = store.count(
                database.writes(), project, input.filter(), input.filter().end(), MAX_COUNTED + 1);
        return store.page(database.writes(), project, input.filter(), input.before(), input.limit() + 1, offset)
                .compose(found -> people.find(database.reads(), database.home().reads(), project, found)
                        .compose(persons -> findNames(project, found)
                                .compose(named ->
                                        total.map(counted -> response(input, found, counted, persons, named)))));
    }

    /** The addresses of invitations are at home. */
    private Future<Map<UUID, String>> findNames(ProjectId project, List<AuditLine> lines) {
        var found = names.find(database.reads(), project, lines);
        return database.isAtHome()
                ? found
                : names.findInvited(database.home().reads(), project, lines)
                        .compose(invited -> found.map(others -> {
                            var all = new HashMap<>(others);
                            all.putAll(invited);
                            return all;
                        }));
    }

    private static Response response(
            Request input, List<AuditLine> found, long counted, Map<UUID, Person> people, Map<UUID, String> names) {
        var hasMore = found.size() > input.limit();
        var lines = hasMore ? found.subList(0, input.limit()) : found;
        return new Response(
                lines,
                Math.min(counted, MAX_COUNTED),
                counted <= MAX_COUNTED,
                input.page(),
                input.limit(),
                hasMore ? lines.get(lines.size() - 1).place().text() : null,
                people,
                names);
    }

    /**
     * {@code GET /v1/dashboard/audit-logs/export}: streams every entry that matches the filters, newest first, one per
     * line.
     */
    public Future<Reply> export(ApiRequest request) {
        var project = request.project().id();
        var filter = request.query(AuditFilter::read);
        if (request.http().method().equals(HttpMethod.HEAD)) {
            return Future.succeededFuture(new Reply(
                    200, Buffer.buffer(), Map.of("Content-Type", ReplyLines.TYPE, "Cache-Control", "no-store")));
        }
        var trail = request.trail();
        var lines = new ReplyLines(request.http().response(), limits.waitingBytes());
        return slots.during(
                        project,
                        request.network(),
                        () -> record(trail, filter).compose(recorded -> export(request, project, filter, lines)))
                .compose(entries -> lines.end())
                .recover(failure -> cutOff(request, project, lines, failure))
                .map(sent -> Reply.alreadySent());
    }

    /** Runs before anything is sent: nobody can hide an export by disconnecting at the last line. */
    private Future<Void> record(Trail trail, AuditFilter filter) {
        return database.inTransaction(transaction ->
                trail.record(transaction, Logged.AUDIT_EXPORTED, Target.NONE, Map.of("filters", filter.names())));
    }

    /**
     * PostgreSQL allows a longer pause than this server allows a client, so that it is this server that ends a stalled
     * export.
     */
    private Future<Long> export(ApiRequest request, ProjectId project, AuditFilter filter, ReplyLines lines) {
        var context = request.vertx().getOrCreateContext();
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

    /** Closes the connection before the chunked response ends, so that every client sees that it is incomplete. */
    private static Future<Void> cutOff(ApiRequest request, ProjectId project, ReplyLines lines, Throwable failure) {
        if (!lines.isBegun()) {
            return Future.failedFuture(failure);
        }
        LOG.warn("The export of the audit log of project {} was cut off: {}", project, failure.getMessage());
        Connections.cutOff(request.http().connection());
        return Future.succeededFuture();
    }
}
