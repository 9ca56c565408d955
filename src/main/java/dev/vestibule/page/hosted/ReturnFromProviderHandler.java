package dev.vestibule.page.hosted;

import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.RequestLanguage;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.json.Json;
import dev.vestibule.oauth.PageSignIn;
import dev.vestibule.oauth.PageSignIn.Browser;
import dev.vestibule.oauth.PageSignIn.Ended;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.token.SignInResponse;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/**
 * {@code GET /p/:slug/from-provider}: ends a sign in with a provider in the browser in which it began, as any other sign in
 * on the page ends.
 */
public final class ReturnFromProviderHandler implements ApiHandler {
    private final Database database;
    private final HostedVisitHandler visits;
    private final PageSignIn providers;
    private final DeviceReader devices;
    private final TokenIssuer tokens;
    private final HostedAnswerHandler answers;
    private final HostedPages pages;

    ReturnFromProviderHandler(
            Database database,
            HostedVisitHandler visits,
            PageSignIn providers,
            DeviceReader devices,
            TokenIssuer tokens,
            HostedAnswerHandler answers,
            HostedPages pages) {
        this.database = database;
        this.visits = visits;
        this.providers = providers;
        this.devices = devices;
        this.tokens = tokens;
        this.answers = answers;
        this.pages = pages;
    }

    /** A HEAD request does not use up the sign in, nor does one that no person sees. */
    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var destination = ctx.request().getHeader("Sec-Fetch-Dest");
        var isSeen = (destination == null || destination.equals("document"))
                && !ctx.request().method().equals(HttpMethod.HEAD);
        return visits.admit(
                ctx,
                null,
                visit -> isSeen
                        ? providers
                                .finish(
                                        visit.project(),
                                        ctx.queryParams(),
                                        new Browser(visit.cookie(), devices.read(ctx)))
                                .compose(ended -> ended.isEmpty()
                                        ? Future.succeededFuture(pages.stale(visit))
                                        : visits.resume(
                                                ctx,
                                                visit,
                                                ended.get().resume(),
                                                resumed -> conclude(ctx, resumed, ended.get())))
                        : Future.succeededFuture(pages.stale(visit)));
    }

    private Future<Reply> conclude(RoutingContext ctx, HostedVisit visit, Ended ended) {
        return ended.result()
                .apply(RequestLanguage.of(ctx, visit.project()))
                .compose(result -> tokens.respond(database.reads(), visit.project(), ApiVariant.A, result))
                .compose(response -> answered(visit, response))
                .recover(failure -> failure instanceof ApiException refused
                        ? refused(ctx, visit, refused)
                        : Future.failedFuture(failure));
    }

    private Future<Reply> answered(HostedVisit visit, SignInResponse response) {
        var answer = Json.parse(Json.encode(response));
        return answers.answered(
                visit,
                view -> view,
                View.of(Screen.SIGN_IN).withEmail(answer.path("email").asText()),
                answer);
    }

    private Future<Reply> refused(RoutingContext ctx, HostedVisit visit, ApiException refused) {
        var phrase = switch (refused.status()) {
            case NOT_FOUND -> "problem.provider-off";
            case BAD_GATEWAY, UNAUTHORIZED -> "problem.provider-failed";
            case CONFLICT -> "problem.provider-email";
            case FORBIDDEN -> PageSignIn.CANCELLED.equals(refused.reason()) ? "problem.provider-cancelled" : "";
            default -> "";
        };
        var view = View.of(Screen.SIGN_IN);
        // A 401 would have to name a scheme of HTTP authentication.
        var shown = refused.status() == ErrorStatus.UNAUTHORIZED ? ErrorStatus.UNPROCESSABLE : refused.status();
        return phrase.isEmpty()
                ? answers.refused(ctx, visit, view, refused)
                : Future.succeededFuture(pages.show(visit, view.withProblem(shown.code(), phrase, Map.of())));
    }
}
