package dev.vestibule.page.hosted;

import dev.vestibule.access.DeviceReader;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.limits.Quota;
import dev.vestibule.oauth.PageSignIn;
import dev.vestibule.oauth.PageSignIn.Browser;
import dev.vestibule.page.hosted.HostedPages.View;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.Map;
import java.util.Objects;

/** {@code POST /p/:slug/provider}: begins a sign in with a provider, and sends the browser there. */
public final class LeaveForProviderHandler implements ApiHandler {
    private final HostedVisitHandler visits;
    private final PageVisitors visitors;
    private final PageSignIn providers;
    private final DeviceReader devices;
    private final HostedAnswerHandler answers;
    private final HostedPages pages;
    private final URI publicUrl;

    LeaveForProviderHandler(
            HostedVisitHandler visits,
            PageVisitors visitors,
            PageSignIn providers,
            DeviceReader devices,
            HostedAnswerHandler answers,
            HostedPages pages,
            URI publicUrl) {
        this.visits = visits;
        this.visitors = visitors;
        this.providers = providers;
        this.devices = devices;
        this.answers = answers;
        this.pages = pages;
        this.publicUrl = publicUrl;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var entered = Form.of(ctx);
        var provider = Objects.requireNonNullElse(entered.get("provider"), "");
        return visits.admit(
                ctx,
                entered.get("request"),
                visit -> visits.isOurForm(ctx, visit, entered.get("formToken"))
                        ? leave(ctx, visit, provider)
                        : refused(visit, ErrorStatus.FORBIDDEN, "problem.stale"));
    }

    private Future<Reply> leave(RoutingContext ctx, HostedVisit visit, String provider) {
        return Future.succeededFuture()
                .compose(ready -> {
                    visitors.count(ctx, Quota.OAUTH);
                    return providers.start(
                            visit.project(),
                            provider,
                            publicUrl + "/p/" + visit.project().slug() + "/from-provider",
                            visit.requestText(),
                            new Browser(visit.cookie(), devices.read(ctx)));
                })
                .map(url -> pages.leave(visit, url.toString()))
                .recover(failure -> failure instanceof ApiException refused
                        ? refused(ctx, visit, refused)
                        : Future.failedFuture(failure));
    }

    private Future<Reply> refused(RoutingContext ctx, HostedVisit visit, ApiException refused) {
        return switch (refused.status()) {
            case NOT_FOUND -> refused(visit, ErrorStatus.NOT_FOUND, "problem.provider-off");
            case BAD_GATEWAY -> refused(visit, ErrorStatus.BAD_GATEWAY, "problem.provider-failed");
            default -> answers.refused(ctx, visit, View.of(Screen.SIGN_IN), refused);
        };
    }

    private Future<Reply> refused(HostedVisit visit, ErrorStatus status, String phrase) {
        return Future.succeededFuture(
                pages.show(visit, View.of(Screen.SIGN_IN).withProblem(status.code(), phrase, Map.of())));
    }
}
