package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.access.captcha.Captcha.Widget;
import dev.vestibule.access.captcha.CaptchaPurpose;
import dev.vestibule.authentication.oauth.PageSignIn;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.http.Reply;
import dev.vestibule.page.Assets;
import dev.vestibule.page.hosted.HostedVisit.Offered;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.branding.Branding;
import dev.vestibule.session.SessionId;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Reads what the page needs to know about a browser, including the data in its cookies, and serves it. */
final class HostedVisits {
    private static final Duration LINK_MEMORY = Duration.ofHours(1);

    private static final String PATH = "/p/";
    private static final String COOKIE = "vestibule-page";
    private static final String LINK_COOKIE = "vestibule-page-link";
    private static final String LINK_EMAIL = "linkEmail";
    private static final String LINK_REQUEST = "linkRequest";

    /**
     * What a browser that requested a link by mail stores until the link is opened: the email, and the application's
     * request. It is a signed cookie of this browser, since none of it belongs in a mail.
     */
    record LinkRequest(String email, String request) {
        @Override
        public String toString() {
            return "LinkRequest";
        }
    }

    /** The captcha that a browser must solve before a form is sent, if any. */
    interface Captchas {
        Optional<Widget> of(HttpServerRequest browser, Project project, CaptchaPurpose purpose);
    }

    /** Which ways to sign in the page offers to a project, besides those in its settings. */
    record Offers(Predicate<Project> smsCodes, Predicate<Project> passkeys, PageSignIn providers, Captchas captchas) {}

    private final PageVisitors visitors;
    private final Function<ProjectId, Future<Optional<Branding>>> brandings;
    private final HostedRequests requests;
    private final SignedFields steps;
    private final FormTokens forms;
    private final PageCookies cookies;
    private final Offers offers;
    private final Assets assets;

    /**
     * @param steps signs the state of a sign in, in one browser
     * @param forms makes the tokens that prove that forms come from the page
     */
    HostedVisits(
            PageVisitors visitors,
            Function<ProjectId, Future<Optional<Branding>>> brandings,
            HostedRequests requests,
            SignedFields steps,
            FormTokens forms,
            PageCookies cookies,
            Offers offers,
            Assets assets) {
        this.visitors = visitors;
        this.brandings = brandings;
        this.requests = requests;
        this.steps = steps;
        this.forms = forms;
        this.cookies = cookies;
        this.offers = offers;
        this.assets = assets;
    }

    /** The visit to the page of the slug; empty if there is no such project, or it was just deleted. */
    Future<Optional<HostedVisit>> find(ApiRequest request, String requestText) {
        return visitors.resolveProject(request, request.pathParam("slug"))
                .compose(project -> project.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : brandings
                                .apply(project.get().id())
                                .compose(branding -> branding.isEmpty()
                                        ? Future.succeededFuture(Optional.empty())
                                        : read(request, project.get(), branding.get(), requestText)
                                                .map(Optional::of)));
    }

    /** A visit without a request of an application, which fails where there is no page. */
    Future<HostedVisit> require(ApiRequest request) {
        return find(request, "").map(found -> found.orElseThrow(HostedVisits::nothingHere));
    }

    /** For an address that leads nowhere. */
    static ApiException nothingHere() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is nothing at this path.");
    }

    private Future<HostedVisit> read(ApiRequest request, Project project, Branding branding, String requestText) {
        var browser = request.http();
        return assets.files(request.vertx())
                .compose(files -> offers.providers().offers(project).map(providers -> {
                    var asked = requests.read(project, requestText);
                    var cookie = browser.getCookie(cookies.name(COOKIE));
                    return new HostedVisit(
                            project,
                            branding,
                            asked.map(HostedRequest::language).orElseGet(() -> language(browser, project)),
                            asked,
                            requestText,
                            forms.of(project.id(), cookie == null ? null : cookie.getValue()),
                            Optional.of(files),
                            new Offered(
                                    offers.smsCodes().test(project),
                                    offers.passkeys().test(project),
                                    HostedVisit.shown(providers, branding),
                                    purpose -> offers.captchas().of(browser, project, purpose)));
                }));
    }

    /** Serves the visit in its language, at the present address of the project's page. */
    Future<Reply> serve(ApiRequest request, HostedVisit visit, Function<HostedVisit, Future<Reply>> serve) {
        request.readsIn(visit.language());
        var moved = toPresentSlug(request, visit.project());
        return (moved.isPresent() ? Future.succeededFuture(moved.get()) : serve.apply(visit))
                .map(reply -> reply.withHeader("Set-Cookie", setCookie(visit)));
    }

    private static Language language(HttpServerRequest browser, Project project) {
        return project.language(browser.getHeader(HttpHeaders.ACCEPT_LANGUAGE));
    }

    /**
     * The screen that a visit begins with: a sign in begins with the email alone if organizations of the project have
     * connected their own providers, and proven a domain.
     */
    Future<Screen> first(HostedVisit visit, Screen screen) {
        return screen == Screen.SIGN_IN
                ? offers.providers().hasConnections(visit.project()).map(has -> has ? Screen.EMAIL : screen)
                : Future.succeededFuture(screen);
    }

    /**
     * To the same page under the slug that the project has now, if the address has an earlier one; a form is read where
     * it is.
     */
    private Optional<Reply> toPresentSlug(ApiRequest request, Project project) {
        var method = request.http().method();
        if (project.slug().equals(request.pathParam("slug"))
                || !(method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD))) {
            return Optional.empty();
        }
        var below = request.path().substring(request.path().indexOf('/', PATH.length()) + 1);
        var query = request.http().query();
        return Optional.of(Reply.redirect(requests.page(project) + below + (query == null ? "" : "?" + query)));
    }

    /**
     * The visit with the application's request from before the browser went elsewhere; the request may have expired
     * since.
     */
    HostedVisit resume(HostedVisit visit, String requestText) {
        var request = requests.read(visit.project(), requestText);
        return visit.with(request.map(HostedRequest::language).orElse(visit.language()), request, requestText);
    }

    /** The visit with a request of our own. */
    HostedVisit with(HostedVisit visit, HostedRequest request) {
        return visit.with(visit.language(), Optional.of(request), requests.write(visit.project(), request));
    }

    /** The address of the page that is visited, with a slash at its end. */
    String address(HostedVisit visit) {
        return requests.page(visit.project());
    }

    /** The account that a question is about, for its form. */
    String account(HostedVisit visit, SessionId session) {
        return steps.write(visit.place(), JsonNodeFactory.instance.objectNode().put("session", session.toString()));
    }

    /** Whether the person was asked about the account of this session, in this browser. */
    boolean isShownAccount(HostedVisit visit, String text, SessionId session) {
        return steps.read(visit.place(), text)
                .map(fields -> fields.path("session").asText())
                .filter(session.toString()::equals)
                .isPresent();
    }

    /** Whether the form was filled in on our page, in the browser that sends it. */
    boolean isOurForm(ApiRequest request, HostedVisit visit, MultiMap entered) {
        var site = request.header("Sec-Fetch-Site");
        var token = entered.get("formToken");
        return (site == null || site.equals("same-origin"))
                && token != null
                && visit.proof().matches(token);
    }

    /** The visit of a person whose forms work only as long as this browser knows them by this session. */
    HostedVisit ofSession(HostedVisit visit, SessionId session) {
        return visit.withProof(forms.ofSession(visit.project().id(), visit.proof(), session));
    }

    /** The authenticator app that a person sets up; empty if it does not come from a form of this browser. */
    Optional<FactorSetUp> setUp(HostedVisit visit, String text) {
        return steps.read(visit.place(), text).map(FactorSetUp::of);
    }

    /** Stores in this browser what it continues with when the link of a mail is opened. */
    Cookie linkCookie(HostedVisit visit, String email) {
        var fields =
                JsonNodeFactory.instance.objectNode().put(LINK_EMAIL, email).put(LINK_REQUEST, visit.requestText());
        return cookies.of(LINK_COOKIE, steps.write(visit.place(), fields)).setMaxAge(LINK_MEMORY.toSeconds());
    }

    /** Empty in a browser that requested no link here. */
    Optional<LinkRequest> requestedLink(HttpServerRequest browser, HostedVisit visit) {
        return Optional.ofNullable(browser.getCookie(cookies.name(LINK_COOKIE)))
                .flatMap(cookie -> steps.read(visit.place(), cookie.getValue()))
                .filter(fields -> fields.hasNonNull(LINK_EMAIL) && fields.hasNonNull(LINK_REQUEST))
                .map(fields -> new LinkRequest(
                        fields.path(LINK_EMAIL).asText(),
                        fields.path(LINK_REQUEST).asText()));
    }

    /** The header that sets the cookie by which forms know the browser. */
    private String setCookie(HostedVisit visit) {
        return cookies.name(COOKIE) + "=" + visit.proof().cookie() + "; Path=/; HttpOnly; SameSite=Lax"
                + (cookies.isSecure() ? "; Secure" : "");
    }
}
