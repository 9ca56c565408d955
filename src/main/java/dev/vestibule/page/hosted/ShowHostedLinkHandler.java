package dev.vestibule.page.hosted;

import dev.vestibule.http.ApiHandler;
import dev.vestibule.http.Reply;
import dev.vestibule.page.hosted.HostedPages.View;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;

/**
 * {@code GET /p/:slug/link}: where the link of a mail leads. It signs nobody in, since mail filters open links; in the
 * browser that has asked for it, it shows a button that does.
 */
public final class ShowHostedLinkHandler implements ApiHandler {
    private final HostedVisitHandler visits;
    private final HostedPages pages;

    ShowHostedLinkHandler(HostedVisitHandler visits, HostedPages pages) {
        this.visits = visits;
        this.pages = pages;
    }

    @Override
    public Future<Reply> handle(RoutingContext ctx) {
        var token = Objects.requireNonNullElse(ctx.queryParams().get("token"), "");
        return visits.admit(
                ctx,
                null,
                visit -> visits.linkAskedFor(ctx, visit)
                        .map(asked -> visits.resume(
                                ctx,
                                visit,
                                asked.request(),
                                resumed -> Future.succeededFuture(pages.show(
                                        resumed,
                                        View.of(Screen.LINK)
                                                .withEmail(asked.email())
                                                .with("token", token)))))
                        .orElseGet(() -> Future.succeededFuture(pages.show(visit, View.of(Screen.LINK_ELSEWHERE)))));
    }
}
