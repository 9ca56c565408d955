package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.authentication.factor.FactorHandler;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.Violation;
import dev.vestibule.http.Body;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.limits.Quota;
import dev.vestibule.oauth.RedirectUrl;
import dev.vestibule.page.hosted.HostedCodeStore.Grant;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.session.SessionId;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Decides what a browser sees after a step of a sign in, whatever form or provider brought the person there. */
final class HostedAnswerHandler {
    private final Database database;
    private final PageVisitors visitors;
    private final FactorHandler factors;
    private final HostedCodes codes;
    private final HostedPages pages;

    HostedAnswerHandler(
            Database database, PageVisitors visitors, FactorHandler factors, HostedCodes codes, HostedPages pages) {
        this.database = database;
        this.visitors = visitors;
        this.factors = factors;
        this.codes = codes;
        this.pages = pages;
    }

    /**
     * After an operation has answered.
     *
     * @param next what is shown where the answer has neither tokens nor a question
     */
    Future<Reply> answered(HostedVisit visit, UnaryOperator<View> next, View view, JsonNode answer) {
        if (answer.hasNonNull("accessToken")) {
            return signedIn(visit, view, answer.get("accessToken").asText());
        }
        if (answer.path("needsVerification").asBoolean()) {
            return show(visit, View.of(Screen.VERIFY).withEmail(view.email()).withNotice("notice.sent"));
        }
        if (answer.path("mfaRequired").asBoolean()) {
            return show(
                    visit,
                    View.of(Screen.SECOND_FACTOR)
                            .with("mfaToken", answer.path("mfaToken").asText()));
        }
        return show(visit, next.apply(view).withEmail(view.email()));
    }

    private Future<Reply> show(HostedVisit visit, View view) {
        return Future.succeededFuture(pages.show(visit, view));
    }

    /** The tokens stay here and are forgotten: the application gets its own for the code. */
    private Future<Reply> signedIn(HostedVisit visit, View view, String accessToken) {
        var claims = Json.parse(
                Buffer.buffer(Base64.getUrlDecoder().decode(accessToken.split("\\.", -1)[1])));
        var session = new SessionId(UUID.fromString(claims.path("sid").asText()));
        var user = new UserId(UUID.fromString(claims.path("sub").asText()));
        var setUp = view.setUp();
        if (visit.request().isEmpty()) {
            var url = visit.project().callbackUrl();
            return codes.end(database, visit.project(), session)
                    .map(ended -> setUp == null ? pages.done(visit, url) : pages.backupCodes(visit, setUp, "", url));
        }
        var request = visit.request().get();
        return setUp == null
                ? goOn(visit, request, session, user)
                : codes.hold(database, visit, request.returnTo(), session, user)
                        .map(ticket -> pages.backupCodes(visit, setUp, ticket, null));
    }

    /** Sends the browser on to the application, with a code for the session. */
    Future<Reply> goOn(HostedVisit visit, HostedRequest request, SessionId session, UserId user) {
        var grant = new Grant(session, user, request.codeChallenge(), request.returnTo());
        return codes.issue(database, visit.project(), grant)
                .map(code -> pages.goOn(
                        visit,
                        RedirectUrl.of(request.returnTo()).with("code", code)
                                + "&state="
                                + URLEncoder.encode(request.state(), StandardCharsets.UTF_8)
                                        .replace("+", "%20")));
    }

    /** The person begins at the password again. */
    static View again(ErrorStatus status) {
        return View.of(Screen.SIGN_IN).withProblem(status.code(), "problem.mfaToken", Map.of());
    }

    /** After an operation has refused what was entered. */
    Future<Reply> refused(RoutingContext ctx, HostedVisit visit, View view, ApiException refused) {
        if ("mfa_enrollment_required".equals(refused.reason())) {
            return setUpFactor(ctx, visit, String.valueOf(refused.more().get("mfaToken")));
        }
        // A person who took too long, or has a factor by now, begins at the password again.
        return view.setUp() != null && refused.status() == ErrorStatus.CONFLICT
                ? show(visit, again(ErrorStatus.CONFLICT))
                : Future.succeededFuture(refused(visit, view, refused));
    }

    /** The sign in goes on with a second factor that the person sets up now. */
    private Future<Reply> setUpFactor(RoutingContext ctx, HostedVisit visit, String mfaToken) {
        return Future.succeededFuture()
                .compose(ready -> {
                    visitors.count(ctx, Quota.SIGN_IN);
                    Body.replace(ctx, JsonNodeFactory.instance.objectNode().put("mfaToken", mfaToken));
                    return factors.setUpTotp(ctx);
                })
                .compose(answer -> {
                    var fields = (ObjectNode) Json.parse(answer.body());
                    var setUp = FactorSetUp.of(fields.put("mfaToken", mfaToken));
                    return show(visit, View.of(Screen.SET_UP_FACTOR).withSetUp(setUp));
                })
                .recover(failure -> failure instanceof ApiException refused
                        ? Future.succeededFuture(refused(visit, View.of(Screen.SIGN_IN), notSetUp(refused)))
                        : Future.failedFuture(failure));
    }

    /** The project has no one-time passwords, or the account no email and so no password: nothing that a form could mend. */
    private static ApiException notSetUp(ApiException refused) {
        return refused.status() == ErrorStatus.NOT_FOUND || refused.status() == ErrorStatus.CONFLICT
                ? ApiException.forbidden(refused.message())
                : refused;
    }

    /** In the page's words, since the API's are for developers. */
    private Reply refused(HostedVisit visit, View view, ApiException refused) {
        var status = refused.status();
        if (view.screen() == Screen.PASSKEY
                && (status == ErrorStatus.UNPROCESSABLE || status == ErrorStatus.UNAUTHORIZED)) {
            return pages.show(visit, view.withProblem(ErrorStatus.UNPROCESSABLE.code(), "problem.passkey", Map.of()));
        }
        if (status == ErrorStatus.UNPROCESSABLE) {
            return pages.show(visit, view.withProblem(status.code(), "", problems(refused.details())));
        }
        var phrase = switch (status) {
            case UNAUTHORIZED ->
                switch (view.screen()) {
                    case SIGN_IN -> "problem.wrong-password";
                    case LINK -> "problem.wrong-link";
                    case SET_UP_FACTOR -> "problem.set-up-code";
                    default -> "problem.wrong-code";
                };
            case FORBIDDEN ->
                "passkey_required".equals(refused.reason()) ? "problem.passkey-required" : "problem.forbidden";
            case CONFLICT -> view.screen() == Screen.ENTER_SMS_CODE ? "problem.forbidden" : "problem.taken";
            case TOO_MANY_REQUESTS -> "problem.too-many";
            case UNAVAILABLE -> "problem.busy";
            default -> "problem.other";
        };
        // A 401 would have to name a scheme of HTTP authentication, which browsers then ask the person for.
        var shown = status == ErrorStatus.UNAUTHORIZED ? ErrorStatus.UNPROCESSABLE : status;
        var problem = view.withProblem(shown.code(), phrase, Map.of());
        var wait = refused.retryAfter();
        return wait == null
                ? pages.show(visit, problem)
                : pages.show(visit, status == ErrorStatus.TOO_MANY_REQUESTS ? problem.withWait(wait) : problem)
                        .withHeader("Retry-After", String.valueOf(Math.max(1, wait.toSeconds())));
    }

    private static Map<String, String> problems(List<Violation> violations) {
        var problems = new HashMap<String, String>();
        violations.forEach(violation -> problems.put(violation.field(), "problem." + violation.field()));
        return problems;
    }
}
