package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.oauth.RedirectUrl;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.Violation;
import dev.vestibule.http.Reply;
import dev.vestibule.http.RequestRecord;
import dev.vestibule.oauth.server.Authorizations.Person;
import dev.vestibule.page.hosted.HostedCodeStore.Grant;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.session.SessionId;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.user.UserId;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The response to a browser after a step of a sign in has opened a session, or was refused. */
final class HostedAnswers {
    private final HostedRequests requests;
    private final HostedCodes codes;
    private final LentSessions lent;
    private final BrowserSessions browsers;
    private final HostedAuthorizations authorizations;
    private final HostedPages pages;

    HostedAnswers(
            HostedRequests requests,
            HostedCodes codes,
            LentSessions lent,
            BrowserSessions browsers,
            HostedAuthorizations authorizations,
            HostedPages pages) {
        this.requests = requests;
        this.codes = codes;
        this.lent = lent;
        this.browsers = browsers;
        this.authorizations = authorizations;
        this.pages = pages;
    }

    /**
     * Returns to the application as whom the browser knows, or as the user as whom an owner acts in it; empty if the
     * person has to sign in. An authorization request itself says what comes next.
     */
    Future<Optional<Reply>> known(ApiRequest apiRequest, HostedVisit visit, HostedRequest request) {
        var authorization = request.authorization();
        if (authorization != null) {
            return authorizations.next(apiRequest, visit, authorization).map(Optional::of);
        }
        var project = visit.project();
        return (requests.isOfAccount(project, request)
                        ? Future.succeededFuture(Optional.<Grant>empty())
                        : lent.take(apiRequest, project.id()))
                .compose(acting -> acting.isPresent()
                        ? returnToApplication(
                                        visit,
                                        request,
                                        acting.get().session(),
                                        acting.get().user())
                                .map(Optional::of)
                        : browsers.person(apiRequest, project)
                                .compose(person -> person.isEmpty()
                                        ? Future.succeededFuture(Optional.empty())
                                        : known(apiRequest, visit, request, person.get())));
    }

    /**
     * Whether a provider that knows the browser has to let the person sign in again. An authorization request itself
     * says so, since a form may be older than the sign in that it was shown for.
     */
    Future<Boolean> wantsFreshSignIn(HostedVisit visit) {
        var fresh = visit.request().filter(HostedRequest::fresh).isPresent();
        var authorization = visit.request().map(HostedRequest::authorization);
        return fresh || authorization.isEmpty()
                ? Future.succeededFuture(fresh)
                : authorizations.wantsFreshSignIn(visit, authorization.get());
    }

    /** Signs the person in to one more application of the project. */
    private Future<Optional<Reply>> known(
            ApiRequest apiRequest, HostedVisit visit, HostedRequest request, Person person) {
        return requests.isOfAccount(visit.project(), request)
                ? Future.succeededFuture(
                        Optional.of(Reply.redirect(request.returnTo().url())))
                : browsers.open(apiRequest, visit.project(), person)
                        .compose(opened -> opened.isEmpty()
                                ? Future.succeededFuture(Optional.empty())
                                : returnToApplication(
                                                visit,
                                                request,
                                                opened.get().session(),
                                                opened.get().user().id())
                                        .map(Optional::of));
    }

    /**
     * Sends the browser to the application with a code; only the application gets tokens, for that code.
     *
     * @param setUp the authenticator app that the person set up on the way; the page shows its backup codes first
     */
    Future<Reply> signedIn(ApiRequest apiRequest, HostedVisit visit, @Nullable FactorSetUp setUp, Completed opened) {
        var session = opened.session();
        var user = opened.user().id();
        RequestRecord.ofUser(user);
        if (visit.request().isEmpty()) {
            var url = visit.project().callbackUrl();
            return codes.end(visit.project(), session)
                    .map(ended -> setUp == null ? pages.done(visit, url) : pages.backupCodes(visit, setUp, "", url));
        }
        var request = visit.request().get();
        return browsers.begin(apiRequest, visit.project().id(), session)
                .compose(begun -> signedIn(apiRequest, visit, request, setUp, opened));
    }

    private Future<Reply> signedIn(
            ApiRequest apiRequest,
            HostedVisit visit,
            HostedRequest request,
            @Nullable FactorSetUp setUp,
            Completed opened) {
        var session = opened.session();
        var user = opened.user().id();
        var authorization = request.authorization();
        if (authorization != null) {
            return setUp == null
                    ? authorizations.signedIn(apiRequest, visit, authorization, opened)
                    : authorizations
                            .remember(visit, authorization, opened)
                            .compose(remembered ->
                                    codes.hold(visit, request.returnTo().url(), session, user))
                            .map(ticket -> pages.backupCodes(visit, setUp, ticket, null));
        }
        return setUp == null
                ? returnToApplication(visit, request, session, user)
                : codes.hold(visit, request.returnTo().url(), session, user)
                        .map(ticket -> pages.backupCodes(visit, setUp, ticket, null));
    }

    /** Continues after the backup codes were shown, with the ticket of that page. */
    Future<Reply> continueWith(ApiRequest apiRequest, HostedVisit visit, HostedRequest request, String ticket) {
        var authorization = request.authorization();
        if (authorization != null) {
            return authorizations.next(apiRequest, visit, authorization);
        }
        return codes.release(visit, request.returnTo().url(), ticket)
                .compose(held -> held.isEmpty()
                        ? Future.succeededFuture(pages.startOver(visit, ErrorStatus.CONFLICT))
                        : returnToApplication(
                                visit, request, held.get().session(), held.get().user()));
    }

    /** Sends the browser to the application, with a code for the session. */
    private Future<Reply> returnToApplication(
            HostedVisit visit, HostedRequest request, SessionId session, UserId user) {
        if (requests.isOfAccount(visit.project(), request)) {
            return Future.succeededFuture(
                    pages.returnToApplication(visit, request.returnTo().url()));
        }
        var grant = new Grant(
                session,
                user,
                request.returnTo().codeChallenge(),
                request.returnTo().url());
        return codes.issue(visit.project(), grant)
                .map(code -> pages.returnToApplication(
                        visit,
                        RedirectUrl.of(request.returnTo().url()).with("code", code)
                                + "&state="
                                + URLEncoder.encode(request.returnTo().state(), StandardCharsets.UTF_8)
                                        .replace("+", "%20")));
    }

    /** Shows a refusal in the page's words, since the messages of the API are for developers. */
    Reply refused(HostedVisit visit, View view, ApiException refused) {
        var status = refused.status();
        // A person who took too long, or has a factor by now, starts over with the password.
        if (view.setUp() != null && status == ErrorStatus.CONFLICT) {
            return pages.startOver(visit, ErrorStatus.CONFLICT);
        }
        if (refused.code() == ErrorCode.INVALID_MFA_TOKEN) {
            return pages.startOver(visit, ErrorStatus.UNPROCESSABLE); // no code would help any more
        }
        if (view.screen() == Screen.PASSKEY
                && (status == ErrorStatus.UNPROCESSABLE || status == ErrorStatus.UNAUTHORIZED)) {
            return pages.show(visit, view.withProblem(ErrorStatus.UNPROCESSABLE.code(), "problem.passkey", Map.of()));
        }
        if (refused.code() == ErrorCode.DISPOSABLE_EMAIL) {
            return pages.show(visit, view.withProblem(status.code(), "", Map.of("email", "problem.disposable-email")));
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
                switch (refused.code()) {
                    case PASSKEY_REQUIRED -> "problem.passkey-required";
                    case CAPTCHA_REQUIRED, CAPTCHA_FAILED -> "problem.captcha";
                    default -> "problem.forbidden";
                };
            case CONFLICT -> refused.code() == ErrorCode.EMAIL_TAKEN ? "problem.taken" : "problem.forbidden";
            case TOO_MANY_REQUESTS -> "problem.too-many";
            case UNAVAILABLE -> "problem.busy";
            default -> "problem.other";
        };
        var problem = view.withProblem(HostedPages.shown(status).code(), phrase, Map.of());
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

    /** Shows that a sign in with a provider could not start, or failed at the provider. */
    Reply refusedOfProvider(HostedVisit visit, ApiException refused) {
        var status = refused.status();
        var phrase = switch (status) {
            case NOT_FOUND -> "problem.provider-off";
            case BAD_GATEWAY, UNAUTHORIZED -> "problem.provider-failed";
            case CONFLICT -> "problem.provider-email";
            case FORBIDDEN -> refused.code() == ErrorCode.CANCELLED ? "problem.provider-cancelled" : "";
            default -> "";
        };
        var view = View.of(Screen.SIGN_IN);
        return phrase.isEmpty()
                ? refused(visit, view, refused)
                : pages.show(visit, view.withProblem(HostedPages.shown(status).code(), phrase, Map.of()));
    }
}
