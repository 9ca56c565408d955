package dev.vestibule.page.hosted;

import dev.vestibule.database.Database;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;

/** {@code POST /p/:slug/go-on}: leads on to the application once the person has seen the backup codes. */
public final class LeaveBackupCodesHandler implements ApiHandler {
    private final Database database;
    private final HostedVisitHandler visits;
    private final HostedCodes codes;
    private final HostedAnswerHandler answers;
    private final HostedPages pages;

    LeaveBackupCodesHandler(
            Database database,
            HostedVisitHandler visits,
            HostedCodes codes,
            HostedAnswerHandler answers,
            HostedPages pages) {
        this.database = database;
        this.visits = visits;
        this.codes = codes;
        this.answers = answers;
        this.pages = pages;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var entered = Form.of(ctx);
        return visits.admit(ctx, entered.get("request"), visit -> leave(ctx, visit, entered));
    }

    private Future<Reply> leave(RoutingContext ctx, HostedVisit visit, MultiMap entered) {
        if (visit.request().isEmpty() || !visits.isOurForm(ctx, visit, entered.get("formToken"))) {
            return again(visit, ErrorStatus.FORBIDDEN);
        }
        var request = visit.request().get();
        var ticket = Objects.requireNonNullElse(entered.get("ticket"), "");
        return codes.release(database, visit, request.returnTo(), ticket)
                .compose(held -> held.isEmpty()
                        ? again(visit, ErrorStatus.CONFLICT)
                        : answers.goOn(
                                visit, request, held.get().session(), held.get().user()));
    }

    private Future<Reply> again(HostedVisit visit, ErrorStatus status) {
        return Future.succeededFuture(pages.show(visit, HostedAnswerHandler.again(status)));
    }
}
