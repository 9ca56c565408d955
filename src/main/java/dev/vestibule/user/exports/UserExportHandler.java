package dev.vestibule.user.exports;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RecentSignIn;
import dev.vestibule.config.ExportSettings;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Connections;
import dev.vestibule.http.Query;
import dev.vestibule.http.Reply;
import dev.vestibule.http.ReplyLines;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Fields;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.member.Role;
import dev.vestibule.user.TransferSlots;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Exports of all users of a project. */
public final class UserExportHandler {
    private static final Logger LOG = LoggerFactory.getLogger(UserExportHandler.class);

    private static final UUID BEFORE_ALL = new UUID(0, 0);

    private final Database database;
    private final UserExportStore store;
    private final TransferSlots slots;
    private final RecentSignIn recent;
    private final ExportSettings limits;
    private final Clock clock;

    public UserExportHandler(
            Database database,
            UserExportStore store,
            TransferSlots slots,
            RecentSignIn recent,
            ExportSettings limits,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.slots = slots;
        this.recent = recent;
        this.limits = limits;
        this.clock = clock;
    }

    /** {@code GET /v1/dashboard/users/export}: streams every user of the project as a line that an import takes. */
    public Future<Reply> export(ApiRequest request) {
        var project = request.project().id();
        var withHashes = request.query(UserExportHandler::withHashes);
        if (withHashes && !isOwner(request)) {
            throw ApiException.of(
                    ErrorCode.OWNER_REQUIRED,
                    "Password hashes are exported only with the access token of an owner of the"
                            + " project, who names it by projectId.");
        }
        if (withHashes) {
            recent.requireAlways(request.user());
        }
        if (request.http().method().equals(HttpMethod.HEAD)) {
            return Future.succeededFuture(new Reply(
                    200, Buffer.buffer(), Map.of("Content-Type", ReplyLines.TYPE, "Cache-Control", "no-store")));
        }
        var lines = new ReplyLines(request.http().response(), limits.waitingBytes());
        var who = who(request);
        var trail = request.trail();
        return slots.during(project, request.network(), () -> {
                    LOG.info("The users of project {} are being exported {} by {}", project, hashes(withHashes), who);
                    return record(trail, withHashes).compose(recorded -> export(request, project, withHashes, lines));
                })
                .onSuccess(users -> LOG.info(
                        "{} users of project {} were exported {} by {}", users, project, hashes(withHashes), who))
                .compose(users -> lines.end())
                .recover(failure -> cutOff(request, project, lines, failure))
                .map(sent -> Reply.alreadySent());
    }

    /** Runs before anything is sent: nobody can hide an export by disconnecting at the last line. */
    private Future<Void> record(Trail trail, boolean withHashes) {
        return database.inTransaction(transaction ->
                trail.record(transaction, Logged.USERS_EXPORTED, Target.NONE, Map.of("withHashes", withHashes)));
    }

    private static boolean withHashes(Fields fields) {
        return Objects.requireNonNullElse(fields.optional("withHashes", Query.flag()), false);
    }

    private static boolean isOwner(ApiRequest request) {
        return !request.isServer() && request.role() == Role.OWNER;
    }

    private static String who(ApiRequest request) {
        return request.isServer()
                ? "its secret key"
                : "dashboard user " + request.user().user().id();
    }

    private static String hashes(boolean withHashes) {
        return withHashes ? "with password hashes" : "without password hashes";
    }

    /**
     * PostgreSQL allows a longer pause than this server allows a client, so that it is this server that ends a stalled
     * export.
     */
    private Future<Long> export(ApiRequest request, ProjectId project, boolean withHashes, ReplyLines lines) {
        var context = request.vertx().getOrCreateContext();
        var canSeePrivateData = request.canSeePrivateData();
        var longestPause = limits.stallTime().plus(Duration.ofSeconds(30));
        return database.inSnapshot(
                longestPause,
                snapshot -> new LineExport<ExportedUser>(
                                context,
                                snapshot,
                                (last, limit) -> store.page(
                                                snapshot,
                                                project,
                                                last == null
                                                        ? BEFORE_ALL
                                                        : last.id().value(),
                                                limit,
                                                withHashes)
                                        .map(users -> canSeePrivateData ? users : withoutPrivate(users)),
                                lines,
                                limits,
                                clock)
                        .run());
    }

    private static List<ExportedUser> withoutPrivate(List<ExportedUser> users) {
        return users.stream().map(ExportedUser::withoutPrivateMetadata).toList();
    }

    /** Closes the connection before the chunked response ends, so that every client sees that it is incomplete. */
    private static Future<Void> cutOff(ApiRequest request, ProjectId project, ReplyLines lines, Throwable failure) {
        if (!lines.isBegun()) {
            return Future.failedFuture(failure);
        }
        LOG.warn("The export of project {} was cut off: {}", project, failure.getMessage());
        Connections.cutOff(request.http().connection());
        return Future.succeededFuture();
    }
}
