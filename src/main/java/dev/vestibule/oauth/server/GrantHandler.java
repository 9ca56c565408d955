package dev.vestibule.oauth.server;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.journal.EventKind;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.journal.Trail;
import dev.vestibule.json.Text;
import dev.vestibule.oauth.server.GrantStore.Ended;
import dev.vestibule.project.ProjectId;
import dev.vestibule.telemetry.metrics.GrantMeters;
import dev.vestibule.user.UserErrors;
import dev.vestibule.user.UserId;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The applications that have access to a user's account: one method per operation. */
public final class GrantHandler {
    private record Apps(List<ConnectedApp> grants) {}

    private final Database database;
    private final UserStore users = new UserStore();
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

    /** {@code GET /v1/auth/me/grants}: the applications that have access to the caller's account, the latest first. */
    public Future<Reply> listMine(ApiRequest request) {
        var caller = request.user();
        return list(request, caller.project().id(), caller.user().id());
    }

    /** {@code GET /v1/dashboard/users/:userId/grants} and {@code /v1/backend/users/:userId/grants}. */
    public Future<Reply> listForUser(ApiRequest request) {
        var project = request.project().id();
        request.query(fields -> true); // rejects any query parameter
        return users.find(database.reads(), project, user(request))
                .map(found -> found.orElseThrow(UserErrors::notFound))
                .compose(found -> list(request, project, found.user().id()));
    }

    private Future<Reply> list(ApiRequest request, ProjectId project, UserId user) {
        return connections
                .list(database.writes(), project, user, clock.instant())
                .compose(found -> resources
                        .list(database.reads(), project)
                        .map(all -> Reply.ok(new Apps(
                                ConnectedApp.of(found, all, request.language().text())))));
    }

    /** {@code DELETE /v1/auth/me/grants?clientId=}: ends all that the application has of the caller. */
    public Future<Reply> withdrawMine(ApiRequest request) {
        var caller = request.user();
        return withdraw(
                request,
                Logged.GRANT_WITHDRAWN,
                caller.project().id(),
                caller.user().id());
    }

    /** {@code DELETE /v1/dashboard/users/:userId/grants?clientId=} and the same below {@code /v1/backend}. */
    public Future<Reply> withdrawForUser(ApiRequest request) {
        return withdraw(request, Logged.USER_GRANT_WITHDRAWN, request.project().id(), user(request));
    }

    private static UserId user(ApiRequest request) {
        return new UserId(request.pathId("userId"));
    }

    private Future<Reply> withdraw(ApiRequest request, Logged fact, ProjectId project, UserId user) {
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
                                                .compose(recorded -> publish(trail, transaction, project, ended))
                                                .map(ended.size()))))
                .onSuccess(meters::withdrawn)
                .map(withdrawn -> Reply.success());
    }

    private static Future<Void> record(
            Trail trail, SqlConnection transaction, Logged fact, UserId user, String client, List<Ended> ended) {
        return trail.record(
                transaction, fact, Target.user(user.value()), Map.of("clientId", client, "grants", ended.size()));
    }

    /** The client is told once, however many grants it had. */
    private static Future<Void> publish(Trail trail, SqlConnection transaction, ProjectId project, List<Ended> ended) {
        var told = ended.stream().filter(Ended::wasUsed).findFirst();
        Future<Void> published = Future.succeededFuture();
        for (var one : ended) {
            var news = new GrantNews(project, one.grant(), told.equals(Optional.of(one)));
            published = published.compose(
                    done -> trail.publish(transaction, EventKind.GRANT_ENDED, news, Map.of("reason", "withdrawn")));
        }
        return published;
    }
}
