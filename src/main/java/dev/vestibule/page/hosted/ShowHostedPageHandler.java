package dev.vestibule.page.hosted;

import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.page.hosted.HostedPages.View;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** {@code GET /p/:slug/}: the page, with the screen that is asked for. */
public final class ShowHostedPageHandler implements ApiHandler {
    private final HostedVisitHandler visits;
    private final HostedPages pages;

    ShowHostedPageHandler(HostedVisitHandler visits, HostedPages pages) {
        this.visits = visits;
        this.pages = pages;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        return visits.admit(
                ctx,
                ctx.queryParams().get("request"),
                visit -> Future.succeededFuture(pages.show(
                        visit,
                        View.of(Optional.ofNullable(ctx.queryParams().get("screen"))
                                        .flatMap(Screen::entry)
                                        .or(() -> visit.request().map(HostedRequest::screen))
                                        .orElse(Screen.SIGN_IN))
                                .withEmail(visit.request()
                                        .map(HostedRequest::email)
                                        .orElse("")))));
    }
}
