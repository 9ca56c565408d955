package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.server.Authorizations;
import dev.vestibule.oauth.server.Authorizations.Step;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;

/** Authorization requests of clients, which go on on the page of the project: one method per operation. */
public final class AuthorizationPageHandler {
    private final Authorizations authorizations;
    private final HostedAuthorizations hosted;
    private final HostedEntrance entrance;
    private final HostedRequests requests;
    private final HostedVisits visits;
    private final HostedPages pages;

    AuthorizationPageHandler(
            Authorizations authorizations,
            HostedAuthorizations hosted,
            HostedEntrance entrance,
            HostedRequests requests,
            HostedVisits visits,
            HostedPages pages) {
        this.authorizations = authorizations;
        this.hosted = hosted;
        this.entrance = entrance;
        this.requests = requests;
        this.visits = visits;
        this.pages = pages;
    }

    /**
     * {@code GET /v1/projects/:projectId/oauth/authorize} and the same with POST: the beginning of an authorization
     * (RFC 6749, 4.1.1). Stores the request and sends the browser to the page, which a POST of another site would reach
     * without its cookies; errors go to the client if its redirect URI is right, and to the page if it is not.
     */
    public Future<Reply> begin(ApiRequest request) {
        var project = request.project();
        var isPost = request.http().method().equals(HttpMethod.POST);
        var given = isPost ? request.form() : request.queryParams();
        var page = requests.page(project) + "authorize?";
        return authorizations.begin(request, given).map(step -> {
            if (step instanceof Step.Answer answer) {
                return answer.response().reply();
            }
            if (step instanceof Step.Begun begun) {
                var language = begun.language() == null ? "" : "&ui_locales=" + begun.language();
                return HostedPages.redirect(page + "authorization=" + begun.secret() + language);
            }
            return HostedPages.redirect(page + "problem=" + ((Step.Wrong) step).parameter());
        });
    }

    /**
     * {@code GET /p/:slug/authorize}: what an authorization request needs of the person, or its answer, which an
     * application may wait for in a frame. Fetching it in advance does not use it up, nor does a HEAD request.
     */
    public Future<Reply> show(ApiRequest request) {
        return entrance.serve(
                request,
                null,
                visit -> HostedEntrance.isOpened(request)
                        ? hosted.open(request, visit)
                        : Future.succeededFuture(pages.expired(visit)));
    }

    /** {@code POST /p/:slug/consent}: whether the person agrees, and with which account. */
    public Future<Reply> decide(ApiRequest request) {
        var entered = request.form();
        return entrance.serve(request, entered.get("request"), visit -> {
            var secret = visit.request().map(HostedRequest::authorization);
            return secret.isPresent() && visits.isOurForm(request, visit, entered)
                    ? hosted.decided(
                            request,
                            visit,
                            secret.get(),
                            Form.value(entered, "decision"),
                            Form.value(entered, "account"))
                    : Future.succeededFuture(pages.startOver(visit, ErrorStatus.FORBIDDEN));
        });
    }
}
