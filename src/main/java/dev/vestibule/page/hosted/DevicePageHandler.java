package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.mail.WrongCodeBudget;
import dev.vestibule.oauth.server.Authorizations;
import dev.vestibule.oauth.server.Authorizations.Step;
import dev.vestibule.page.hosted.HostedPages.View;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Objects;

/** Where a person types the code that another device shows, {@code /p/:slug/device} (RFC 8628, 3.3). */
public final class DevicePageHandler {
    private static final int MAX_DEVICE_CODE = 40;

    private final Database database;
    private final Authorizations authorizations;
    private final WrongCodeBudget wrongCodes;
    private final HostedEntrance entrance;
    private final HostedVisits visits;
    private final HostedPages pages;

    DevicePageHandler(
            Database database,
            Authorizations authorizations,
            WrongCodeBudget wrongCodes,
            HostedEntrance entrance,
            HostedVisits visits,
            HostedPages pages) {
        this.database = database;
        this.authorizations = authorizations;
        this.wrongCodes = wrongCodes;
        this.entrance = entrance;
        this.visits = visits;
        this.pages = pages;
    }

    /** {@code GET /p/:slug/device}: a field for the code. */
    public Future<Reply> show(ApiRequest request) {
        var code = Objects.requireNonNullElse(request.queryParams().get("user_code"), "");
        return entrance.serve(request, null, visit -> Future.succeededFuture(pages.show(visit, form(code))));
    }

    /** {@code POST /p/:slug/device}: the code of the device; what it has asked for is shown next. */
    public Future<Reply> enter(ApiRequest request) {
        var entered = request.form();
        return entrance.serve(
                request,
                null,
                visit -> visits.isOurForm(request, visit, entered)
                        ? enter(request, visit, Form.value(entered, "code"))
                        : Future.succeededFuture(pages.show(
                                visit, form("").withProblem(ErrorStatus.FORBIDDEN.code(), "problem.stale", Map.of()))));
    }

    /** The page to type the code of a device on, with what of it is in the URL: the person still has to send it. */
    private static View form(String code) {
        return View.of(Screen.DEVICE).with("code", code.length() > MAX_DEVICE_CODE ? "" : code);
    }

    /** Goes on with the request of the device that shows this code, within the tries of the browser and its network. */
    private Future<Reply> enter(ApiRequest request, HostedVisit visit, String code) {
        var browser = visit.proof().cookie();
        var attempt = wrongCodes.ofDevice(visit.project().id(), Buffer.buffer(Sha256.of(browser)), request.network());
        return wrongCodes
                .take(database.writes(), attempt)
                .compose(taken -> authorizations.beginDevice(request, code, browser))
                .compose(step -> step instanceof Step.Begun
                        ? Future.succeededFuture(step)
                        : wrongCodes
                                .countWrong(database.writes(), attempt, false)
                                .map(step))
                .map(step -> step instanceof Step.Begun begun
                        ? HostedPages.redirect(visits.address(visit) + "authorize?authorization=" + begun.secret())
                        : pages.show(
                                visit,
                                form(code)
                                        .withProblem(
                                                ErrorStatus.BAD_REQUEST.code(),
                                                "",
                                                Map.of("code", "problem.device-code"))))
                .recover(failure -> failure instanceof ApiException refused
                        ? Future.succeededFuture(pages.show(
                                visit,
                                refused.retryAfter() == null
                                        ? form(code)
                                                .withProblem(refused.status().code(), "problem.other", Map.of())
                                        : form(code)
                                                .withProblem(refused.status().code(), "", Map.of())
                                                .withWait(refused.retryAfter())))
                        : Future.failedFuture(failure));
    }
}
