package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.http.Reply;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where browsers come in to sign in or out: it reads what they come with, or shows that nothing can be done with it.
 */
final class HostedEntrance {
    private static final String DESTINATION = "Sec-Fetch-Dest";

    private final HostedVisits visits;
    private final HostedPages pages;
    private final ErrorPages errors;

    HostedEntrance(HostedVisits visits, HostedPages pages, ErrorPages errors) {
        this.visits = visits;
        this.pages = pages;
        this.errors = errors;
    }

    /** Reads the visit from the application's request in the query or form, and serves it. */
    Future<Reply> serve(ApiRequest request, @Nullable String requestText, Function<HostedVisit, Future<Reply>> serve) {
        return visits.find(request, Objects.requireNonNullElse(requestText, ""))
                .compose(found -> found.isEmpty()
                        ? errors.unknown(request)
                        : visits.serve(request, found.get(), visit -> unlessExpired(visit, serve)));
    }

    private Future<Reply> unlessExpired(HostedVisit visit, Function<HostedVisit, Future<Reply>> serve) {
        return visit.isExpired() ? Future.succeededFuture(pages.expired(visit)) : serve.apply(visit);
    }

    /** Serves the visit with the application's request from before the browser went elsewhere. */
    Future<Reply> resume(
            ApiRequest request, HostedVisit visit, String requestText, Function<HostedVisit, Future<Reply>> serve) {
        var resumed = visits.resume(visit, requestText);
        request.readsIn(resumed.language());
        return unlessExpired(resumed, serve);
    }

    /** Whether a person sees the answer: it is for a page of its own. */
    static boolean isSeen(ApiRequest request) {
        return isOpened(request) && !"iframe".equals(request.header(DESTINATION));
    }

    /** Whether the answer is for a page, and not for what a browser fetches in advance, or within a page. */
    static boolean isOpened(ApiRequest request) {
        var destination = request.header(DESTINATION);
        var purpose = request.header("Sec-Purpose");
        return (destination == null || destination.equals("document") || destination.equals("iframe"))
                && (purpose == null || !purpose.contains("prefetch"))
                && !request.http().method().equals(HttpMethod.HEAD);
    }
}
