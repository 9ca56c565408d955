package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.captcha.Captcha.Widget;
import dev.vestibule.access.captcha.CaptchaPurpose;
import dev.vestibule.authentication.oauth.PageSignIn;
import dev.vestibule.authentication.oauth.RedirectRules;
import dev.vestibule.authentication.oauth.RedirectUrl;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.page.Assets;
import dev.vestibule.project.Language;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.project.branding.Branding;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads what the page needs to know about a browser, including the data in its cookies. */
final class HostedVisits {
    /** The lifetime of an application's request ({@link HostedApiHandler}). */
    private static final Duration ACCOUNT_SIGN_IN = Duration.ofHours(1);

    private static final Duration LINK_MEMORY = Duration.ofHours(1);

    private static final String PATH = "/p/";
    private static final String LINK_EMAIL = "linkEmail";
    private static final String LINK_REQUEST = "linkRequest";

    /**
     * The signatures of the page, shared by all event loops.
     *
     * @param requests signs the requests of applications, in URLs
     * @param steps signs the state of a sign in, in one browser
     * @param forms makes the tokens that prove that forms come from the page
     */
    record Signatures(SignedFields requests, SignedFields steps, FormTokens forms) {
        static Signatures by(MasterKeys masterKeys) {
            return new Signatures(
                    new SignedFields(masterKeys, "hosted page requests"),
                    new SignedFields(masterKeys, "hosted page steps"),
                    new FormTokens(masterKeys));
        }
    }

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

    /** What the page offers depends on more than the project's settings. */
    record Offers(Predicate<Project> smsCodes, Predicate<Project> passkeys, Captchas captchas) {}

    private final Function<ProjectId, Future<Optional<Branding>>> brandings;
    private final Signatures signatures;
    private final RedirectUrl ownRedirect;
    private final Offers offered;
    private final Assets assets;
    private final PageSignIn providers;
    private final URI publicUrl;
    private final Clock clock;

    HostedVisits(
            Function<ProjectId, Future<Optional<Branding>>> brandings,
            Signatures signatures,
            RedirectUrl ownRedirect,
            Offers offered,
            Assets assets,
            PageSignIn providers,
            URI publicUrl,
            Clock clock) {
        this.brandings = brandings;
        this.publicUrl = publicUrl;
        this.signatures = signatures;
        this.ownRedirect = ownRedirect;
        this.offered = offered;
        this.assets = assets;
        this.providers = providers;
        this.clock = clock;
    }

    /** Empty if the project has no branding any more because it was just deleted. */
    Future<Optional<HostedVisit>> read(Vertx vertx, HttpServerRequest browser, Project project, String requestText) {
        return brandings
                .apply(project.id())
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : read(vertx, browser, project, found.get(), requestText)
                                .map(Optional::of));
    }

    private Future<HostedVisit> read(
            Vertx vertx, HttpServerRequest browser, Project project, Branding branding, String requestText) {
        return assets.files(vertx)
                .compose(files -> providers.offers(project).map(offers -> {
                    var request = request(project, requestText);
                    var cookie = cookie(browser);
                    return new HostedVisit(
                            project,
                            branding,
                            request.map(HostedRequest::language).orElseGet(() -> language(browser, project)),
                            request,
                            requestText,
                            cookie,
                            signatures.forms().of(project.id(), cookie),
                            offered.smsCodes().test(project),
                            offered.passkeys().test(project),
                            Optional.of(files),
                            HostedVisit.shown(offers, branding),
                            purpose -> offered.captchas().of(browser, project, purpose));
                }));
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
                ? providers.hasConnections(visit.project()).map(has -> has ? Screen.EMAIL : screen)
                : Future.succeededFuture(screen);
    }

    /** Empty if the request was not written for this project, is too old, or is no longer allowed. */
    private Optional<HostedRequest> request(Project project, String text) {
        return signatures
                .requests()
                .read(project.id().toString(), text)
                .flatMap(HostedRequest::of)
                .filter(request -> request.expiresAt().isAfter(clock.instant()))
                .filter(request -> request.authorization() != null || isStillAllowed(project, request));
    }

    /** The project may have removed an origin since the application's request. */
    private boolean isStillAllowed(Project project, HostedRequest request) {
        if (isOfAccount(project, request)) {
            return true;
        }
        try {
            new RedirectRules(project, ownRedirect).returnTo(request.returnTo());
            return true;
        } catch (InvalidValueException notAllowed) {
            return false;
        }
    }

    /** Whether the person signs in for the account page and not for an application. */
    boolean isOfAccount(Project project, HostedRequest request) {
        return request.authorization() == null && request.returnTo().equals(accountPage(project));
    }

    /**
     * To the same page under the slug that the project has now, if the address has an earlier one; a form is read where it
     * is.
     */
    Optional<Reply> toPresentSlug(ApiRequest request, Project project) {
        var method = request.http().method();
        if (project.slug().equals(request.pathParam("slug"))
                || !(method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD))) {
            return Optional.empty();
        }
        var below = request.path().substring(request.path().indexOf('/', PATH.length()));
        var query = request.http().query();
        return Optional.of(
                Reply.redirect(publicUrl + PATH + project.slug() + below + (query == null ? "" : "?" + query)));
    }

    /** The address of the account page. */
    private String accountPage(Project project) {
        return publicUrl + PATH + project.slug() + "/account/";
    }

    /**
     * What a sign in for the account page needs, for the URL of the page to sign in.
     *
     * @param fresh whether the person has to sign in even if the browser knows them
     */
    String forAccount(HostedVisit visit, boolean fresh) {
        return signatures
                .requests()
                .write(
                        visit.project().id().toString(),
                        new HostedRequest(
                                        accountPage(visit.project()),
                                        "",
                                        null,
                                        Screen.SIGN_IN,
                                        null,
                                        visit.language(),
                                        clock.instant().plus(ACCOUNT_SIGN_IN),
                                        fresh,
                                        null)
                                .fields());
    }

    /**
     * The visit with the application's request from before the browser went elsewhere; the request may have expired
     * since.
     */
    HostedVisit resume(HostedVisit visit, String requestText) {
        var request = request(visit.project(), requestText);
        return visit.with(request.map(HostedRequest::language).orElse(visit.language()), request, requestText);
    }

    /** The visit with a request of our own. */
    HostedVisit with(HostedVisit visit, HostedRequest request) {
        return visit.with(
                visit.language(),
                Optional.of(request),
                signatures.requests().write(visit.project().id().toString(), request.fields()));
    }

    /** A client's request to sign out, for the URL of its page. */
    String writeLogout(Project project, ObjectNode fields) {
        return signatures.requests().write(project.id() + ".logout", fields);
    }

    Optional<ObjectNode> readLogout(Project project, String text) {
        return signatures.requests().read(project.id() + ".logout", text);
    }

    /** The account that a question is about, for its form. */
    String account(HostedVisit visit, ObjectNode fields) {
        return signatures.steps().write(visit.place(), fields);
    }

    /** The session of the account that the person was asked about in this browser. */
    Optional<String> shownAccount(HostedVisit visit, String text) {
        return signatures
                .steps()
                .read(visit.place(), text)
                .map(fields -> fields.path("session").asText());
    }

    /** Whether the form was filled in on our page, in the browser that sends it. */
    boolean isOurForm(HttpServerRequest browser, HostedVisit visit, @Nullable String token) {
        var site = browser.getHeader("Sec-Fetch-Site");
        return (site == null || site.equals("same-origin"))
                && token != null
                && signatures.forms().matches(visit.project().id(), visit.cookie(), token);
    }

    /** The authenticator app that a person sets up; empty if it does not come from a form of this browser. */
    Optional<FactorSetUp> setUp(HostedVisit visit, String text) {
        return signatures.steps().read(visit.place(), text).map(FactorSetUp::of);
    }

    /** Stores in this browser what it continues with when the link of a mail is opened. */
    Cookie linkCookie(HostedVisit visit, String email) {
        var fields =
                JsonNodeFactory.instance.objectNode().put(LINK_EMAIL, email).put(LINK_REQUEST, visit.requestText());
        return Cookie.cookie(linkCookieName(), signatures.steps().write(visit.place(), fields))
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(isSecure())
                .setSameSite(CookieSameSite.LAX)
                .setMaxAge(LINK_MEMORY.toSeconds());
    }

    /** Empty in a browser that requested no link here. */
    Optional<LinkRequest> requestedLink(HttpServerRequest browser, HostedVisit visit) {
        return Optional.ofNullable(browser.getCookie(linkCookieName()))
                .flatMap(cookie -> signatures.steps().read(visit.place(), cookie.getValue()))
                .filter(fields -> fields.hasNonNull(LINK_EMAIL) && fields.hasNonNull(LINK_REQUEST))
                .map(fields -> new LinkRequest(
                        fields.path(LINK_EMAIL).asText(),
                        fields.path(LINK_REQUEST).asText()));
    }

    /** The cookie that identifies the browser for forms; a new one if it has none. */
    private String cookie(HttpServerRequest browser) {
        return Optional.ofNullable(browser.getCookie(cookieName()))
                .map(Cookie::getValue)
                .filter(signatures.forms()::isCookie)
                .orElseGet(signatures.forms()::newCookie);
    }

    /** The header that sets the cookie. */
    String setCookie(HostedVisit visit) {
        return cookieName() + "=" + visit.cookie() + "; Path=/; HttpOnly; SameSite=Lax"
                + (isSecure() ? "; Secure" : "");
    }

    private String linkCookieName() {
        return cookieName() + "-link";
    }

    /** With the prefix, no neighbouring host can set the cookie (RFC 6265bis, 4.1.3). */
    private String cookieName() {
        return isSecure() ? "__Host-vestibule-page" : "vestibule-page";
    }

    private boolean isSecure() {
        return ownRedirect.scheme().equals("https");
    }
}
