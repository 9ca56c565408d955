package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.RequestedUser;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Text;
import dev.vestibule.oauth.server.GrantStore.Ended;
import dev.vestibule.project.ProjectId;
import dev.vestibule.telemetry.metrics.GrantMeters;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** The applications that have access to a user's account: one method per operation. */
public final class GrantHandler {
    private record Apps(List<ConnectedApp> grants) {}

    private final Database database;
    private final ConnectionStore connections = new ConnectionStore();
    private final ResourceStore resources = new ResourceStore();
    private final GrantStore grants = new GrantStore();
    private final GrantMeters meters;
    private final Clock clock;

    GrantHandler(Database database, GrantMeters meters, Clock clock) {
        this.database = database;
        this.meters = meters;
        this.clock = clock;
    }

    /**
     * {@code GET …/grants}: the applications that have access to the account of the caller or a user, the latest first.
     */
    public Future<Reply> list(ApiRequest request) {
        var user = RequestedUser.of(request);
        if (!user.isCaller()) {
            request.query(fields -> true); // rejects any query parameter
        }
        return user.find(database).compose(found -> list(request, user.project().id(), user.id()));
    }

    private Future<Reply> list(ApiRequest request, ProjectId project, UserId user) {
        return connections
                .list(database.reads(), project, user, clock.instant())
                .compose(found -> resources
                        .list(database.reads(), project)
                        .map(all -> Reply.ok(new Apps(
                                ConnectedApp.of(found, all, request.language().text())))));
    }

    /** {@code DELETE …/grants?clientId=}: ends all that the application has of the caller or a user. */
    public Future<Reply> withdraw(ApiRequest request) {
        var requested = RequestedUser.of(request);
        var project = requested.project().id();
        var user = requested.id();
        var fact = requested.isCaller() ? Logged.GRANT_WITHDRAWN : Logged.USER_GRANT_WITHDRAWN;
        var client = request.query(fields -> fields.required("clientId", Text::printable));
        var trail = request.trail();
        return database.inTransaction(transaction -> grants.deleteOf(
                                transaction, project, user, client, clock.instant())
                        .compose(ended -> connections
                                .forget(transaction, project, user, client)
                                .compose(wasAgreed -> ended.isEmpty() && !wasAgreed
                                        ? Future.failedFuture(ApiException.of(
                                                ErrorCode.NOT_FOUND, "The application has no access to this account."))
                                        : record(trail, transaction, fact, user, client, ended)
                                                .compose(recorded -> GrantNews.ended(
                                                        trail, transaction, project, ended, true, "withdrawn"))
                                                .map(ended.size()))))
                .onSuccess(meters::withdrawn)
                .map(withdrawn -> Reply.success());
    }

    private static Future<Void> record(
            Trail trail, SqlConnection transaction, Logged fact, UserId user, String client, List<Ended> ended) {
        return trail.record(
                transaction, fact, Target.user(user.value()), Map.of("clientId", client, "grants", ended.size()));
    }
}
