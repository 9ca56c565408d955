package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.oauth.PageSignIn;
import dev.vestibule.authentication.oauth.PageSignIn.Browser;
import dev.vestibule.authentication.oauth.PageSignIn.ReturnedSignIn;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.oauth.server.Authorizations.Person;
import dev.vestibule.page.Assets;
import dev.vestibule.page.hosted.HostedCodeStore.Grant;
import dev.vestibule.page.hosted.HostedPages.Reader;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.project.Language;
import dev.vestibule.project.branding.BrandingStore;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.EnrolmentRequired;
import dev.vestibule.token.SignInResult.FactorRequired;
import dev.vestibule.token.SignInResult.Refused;
import dev.vestibule.token.SignInResult.VerificationRequired;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The hosted page of a project, {@code /p/:slug/}: the operations for browsers, one method per operation. */
public final class HostedPageHandler {
    private static final String PATH = "/p/";
    private static final String API = "/v1/";
    private static final String AUTHORIZE = "/oauth/authorize";
    private static final String LOGOUT = "/oauth/logout";
    private static final String DESTINATION = "Sec-Fetch-Dest";
    private static final int SLASHES_OF_BARE_ADDRESS = 2;

    private final Database database;
    private final PageVisitors visitors;
    private final AuthenticationModule ways;
    private final PageSignIn providers;
    private final HostedVisits visits;
    private final HostedAnswers answers;
    private final HostedAuthorizations authorizations;
    private final HostedLogouts logouts;
    private final BrowserSessions browsers;
    private final ImpersonationPageHandler impersonations;
    private final HostedPages pages;
    private final Assets assets;
    private final URI publicUrl;
    private final HostedStyle style = new HostedStyle();
    private final BrandingStore brandings = new BrandingStore();

    HostedPageHandler(
            Database database,
            PageVisitors visitors,
            AuthenticationModule ways,
            PageSignIn providers,
            HostedVisits visits,
            HostedAnswers answers,
            HostedAuthorizations authorizations,
            HostedLogouts logouts,
            BrowserSessions browsers,
            ImpersonationPageHandler impersonations,
            HostedPages pages,
            Assets assets,
            URI publicUrl) {
        this.database = database;
        this.visitors = visitors;
        this.ways = ways;
        this.providers = providers;
        this.visits = visits;
        this.answers = answers;
        this.authorizations = authorizations;
        this.logouts = logouts;
        this.browsers = browsers;
        this.impersonations = impersonations;
        this.pages = pages;
        this.assets = assets;
        this.publicUrl = publicUrl;
    }

    /** {@code GET /p/:slug/}: the page with the requested screen. */
    public Future<Reply> show(ApiRequest request) {
        return withVisit(
                request,
                request.queryParams().get("request"),
                visit -> visit.request()
                        .filter(asked -> canSkip(request, asked))
                        .map(asked -> skip(request, visit, asked))
                        .orElseGet(() -> showFirst(request, visit)));
    }

    /**
     * Returns to the application, signed in as the person whom the browser knows, or as the user as whom an owner acts
     * in it.
     */
    private Future<Reply> skip(ApiRequest request, HostedVisit visit, HostedRequest asked) {
        var project = visit.project();
        return (visits.isOfAccount(project, asked)
                        ? Future.succeededFuture(Optional.<Grant>empty())
                        : impersonations.take(request, project.id()))
                .compose(acting -> acting.isPresent()
                        ? answers.returnToApplication(
                                visit,
                                asked,
                                acting.get().session(),
                                acting.get().user())
                        : browsers.person(request, project)
                                .compose(person -> person.isEmpty()
                                        ? showFirst(request, visit)
                                        : skip(request, visit, asked, person.get())));
    }

    /** Whether a person whom the browser knows need not see the page. */
    private static boolean canSkip(ApiRequest request, HostedRequest asked) {
        return asked.screen() == Screen.SIGN_IN
                && asked.authorization() == null
                && !asked.fresh()
                && !request.queryParams().contains("screen")
                && isSeen(request);
    }

    /** Signs the person in to one more application of the project. */
    private Future<Reply> skip(ApiRequest request, HostedVisit visit, HostedRequest asked, Person person) {
        return visits.isOfAccount(visit.project(), asked)
                ? Future.succeededFuture(Reply.redirect(asked.returnTo()))
                : browsers.open(request, visit.project(), person)
                        .compose(opened -> opened.isEmpty()
                                ? showFirst(request, visit)
                                : answers.returnToApplication(
                                        visit,
                                        asked,
                                        opened.get().session(),
                                        opened.get().user().id()));
    }

    private Future<Reply> showFirst(ApiRequest request, HostedVisit visit) {
        var screen = Optional.ofNullable(request.queryParams().get("screen"))
                .flatMap(Screen::entry)
                .or(() -> visit.request().map(HostedRequest::screen))
                .orElse(Screen.SIGN_IN);
        return visits.first(visit, screen)
                .map(first -> pages.show(
                        visit,
                        View.of(first)
                                .withEmail(visit.request()
                                        .map(HostedRequest::email)
                                        .orElse(""))));
    }

    /**
     * {@code GET /v1/projects/:projectId/oauth/authorize} and the same with POST: the beginning of an authorization
     * (RFC 6749, 4.1.1), which goes on on the page.
     */
    public Future<Reply> beginAuthorization(ApiRequest request) {
        return authorizations.begin(request);
    }

    /**
     * {@code GET /p/:slug/authorize}: what an authorization request needs of the person, or its answer, which an application
     * may wait for in a frame. Fetching it in advance does not use it up, nor does a HEAD request.
     */
    public Future<Reply> authorize(ApiRequest request) {
        return withVisit(
                request,
                null,
                visit -> isOpened(request)
                        ? authorizations.open(request, visit)
                        : Future.succeededFuture(pages.expired(visit)));
    }

    /** {@code GET /p/:slug/device}: a field for the code that another device shows (RFC 8628, 3.3). */
    public Future<Reply> showDevice(ApiRequest request) {
        var code = Objects.requireNonNullElse(request.queryParams().get("user_code"), "");
        return withVisit(request, null, visit -> show(visit, authorizations.enterDevice(code)));
    }

    /** {@code POST /p/:slug/device}: the code of the device; what it has asked for is shown next. */
    public Future<Reply> enterDeviceCode(ApiRequest request) {
        var entered = request.form();
        return withVisit(
                request,
                null,
                visit -> visits.isOurForm(request.http(), visit, entered.get("formToken"))
                        ? authorizations.enteredDevice(request, visit, given(entered, "code"))
                        : show(
                                visit,
                                authorizations
                                        .enterDevice("")
                                        .withProblem(ErrorStatus.FORBIDDEN.code(), "problem.stale", Map.of())));
    }

    /** {@code POST /p/:slug/consent}: whether the person agrees, and with which account. */
    public Future<Reply> decide(ApiRequest request) {
        var entered = request.form();
        return withVisit(request, entered.get("request"), visit -> {
            var secret = visit.request().map(HostedRequest::authorization);
            return secret.isPresent() && visits.isOurForm(request.http(), visit, entered.get("formToken"))
                    ? authorizations.decided(
                            request, visit, secret.get(), given(entered, "decision"), given(entered, "account"))
                    : Future.succeededFuture(answers.startOver(visit, ErrorStatus.FORBIDDEN));
        });
    }

    /**
     * {@code GET /v1/projects/:projectId/oauth/logout} and the same with POST: a client asks to sign the person out
     * (OpenID Connect RP-Initiated Logout 1.0), which goes on on the page.
     */
    public Future<Reply> beginLogout(ApiRequest request) {
        return logouts.begin(request);
    }

    /** {@code GET /p/:slug/logout}: signs the person out, or asks. */
    public Future<Reply> showLogout(ApiRequest request) {
        return withVisit(request, null, visit -> logouts.open(request, visit));
    }

    /** {@code POST /p/:slug/logout}: the person wants to be signed out. */
    public Future<Reply> logOut(ApiRequest request) {
        var entered = request.form();
        return withVisit(
                request,
                null,
                visit -> visits.isOurForm(request.http(), visit, entered.get("formToken"))
                        ? logouts.decided(request, visit, entered.get("logout"), given(entered, "account"))
                        : Future.succeededFuture(answers.startOver(visit, ErrorStatus.FORBIDDEN)));
    }

    /** Reads the visit from the application's request in the query or form, and serves it. */
    private Future<Reply> withVisit(
            ApiRequest request, @Nullable String requestText, Function<HostedVisit, Future<Reply>> serve) {
        return visitors.resolveProject(request, request.pathParam("slug"))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.<HostedVisit>empty())
                        : visits.read(
                                request.vertx(),
                                request.http(),
                                found.get(),
                                Objects.requireNonNullElse(requestText, "")))
                .compose(found -> found.isEmpty()
                        ? plain(request, reader -> pages.unknown(reader, null))
                        : serve(request, found.get(), serve)
                                .map(reply -> reply.withHeader("Set-Cookie", visits.setCookie(found.get()))));
    }

    /** A page that belongs to no project. */
    private Future<Reply> plain(ApiRequest request, Function<Reader, Reply> render) {
        var language = Language.ofHeader(request.header(HttpHeaders.ACCEPT_LANGUAGE));
        var slashes =
                request.http().path().chars().filter(letter -> letter == '/').count();
        var toRoot = "../".repeat((int) Math.max(0, slashes - 1));
        return assets.files(request.vertx()).map(files -> render.apply(new Reader(language, files, toRoot)));
    }

    /**
     * An error as a page, if the request is not one of the API, or begins an authorization, and comes from a browser that
     * shows one; other clients, scripts and style sheets get the usual JSON.
     */
    public Optional<Future<Reply>> failed(ApiRequest request, ApiException error) {
        var path = request.http().path();
        if (path == null || !accepts(request, "text/html")) {
            return Optional.empty();
        }
        var isOfProject = path.startsWith(PATH) || path.endsWith(AUTHORIZE) || path.endsWith(LOGOUT);
        if (!isOfProject && path.startsWith(API)) {
            return Optional.empty();
        }
        return Optional.of(plain(
                request,
                reader -> error.status() == ErrorStatus.NOT_FOUND
                        ? pages.unknown(reader, isOfProject ? null : publicUrl + "/")
                        : pages.failed(reader, error, retry(request))));
    }

    private static boolean accepts(ApiRequest request, String mediaType) {
        var accepted = request.header(HttpHeaders.ACCEPT);
        return accepted != null && accepted.contains(mediaType);
    }

    /** The address to try again: this one, or, after a form, the page with the application's request. */
    private static String retry(ApiRequest request) {
        if (!request.http().method().equals(HttpMethod.POST)
                || request.path().endsWith(AUTHORIZE)
                || request.path().endsWith(LOGOUT)) {
            return "";
        }
        try {
            return "./?request=" + URLEncoder.encode(given(request.form(), "request"), StandardCharsets.UTF_8);
        } catch (ApiException malformed) {
            return "./";
        }
    }

    private Future<Reply> serve(ApiRequest request, HostedVisit visit, Function<HostedVisit, Future<Reply>> serve) {
        request.readsIn(visit.language());
        var moved = visits.toPresentSlug(request, visit.project());
        if (moved.isPresent()) {
            return Future.succeededFuture(moved.get());
        }
        return visit.isExpired() ? Future.succeededFuture(pages.expired(visit)) : serve.apply(visit);
    }

    private Future<Reply> show(HostedVisit visit, View view) {
        return Future.succeededFuture(pages.show(visit, view));
    }

    /**
     * {@code GET /p/:slug} and {@code GET /p/:slug/:form}: redirects to the page, since its links are relative to its
     * folder. A form's address may have a slash at its end, from which the page is one folder up.
     */
    public Future<Reply> enter(ApiRequest request) {
        var slug = URLEncoder.encode(request.pathParam("slug"), StandardCharsets.UTF_8);
        var isForm = request.path().chars().filter(letter -> letter == '/').count() > SLASHES_OF_BARE_ADDRESS;
        var toPage = request.path().endsWith("/") ? "../" : "./";
        return Future.succeededFuture(Reply.redirect(isForm ? toPage : "./" + slug + "/"));
    }

    /** {@code GET /p/:slug/style.css}: the look of the page in the colours of the project. */
    public Future<Reply> style(ApiRequest request) {
        return visitors.resolveProject(request, request.pathParam("slug"))
                .map(found -> found.orElseThrow(HostedPageHandler::notFound))
                .compose(project -> brandings.find(database.reads(), project.id()))
                .map(found -> style.of(found.orElseThrow(HostedPageHandler::notFound)))
                .map(css -> new Reply(
                        200,
                        Buffer.buffer(css),
                        Map.of("Content-Type", "text/css; charset=utf-8", "Cache-Control", "no-cache")));
    }

    private static ApiException notFound() {
        return ApiException.of(ErrorCode.NOT_FOUND, "There is nothing at this path.");
    }

    /**
     * {@code GET /p/:slug/link}: the target of a link in a mail. It signs nobody in, since mail filters open links; in
     * the browser that requested the link, it shows a button that does.
     */
    public Future<Reply> showLink(ApiRequest request) {
        var token = Objects.requireNonNullElse(request.queryParams().get("token"), "");
        return withVisit(
                request,
                null,
                visit -> visits.requestedLink(request.http(), visit)
                        .map(asked -> serve(
                                request,
                                visits.resume(visit, asked.request()),
                                resumed -> show(
                                        resumed,
                                        View.of(Screen.LINK)
                                                .withEmail(asked.email())
                                                .with("token", token))))
                        .orElseGet(() -> show(visit, View.of(Screen.LINK_ELSEWHERE))));
    }

    /**
     * {@code POST /p/:slug/:form} and {@code POST /p/:slug/link}: the values that a person has entered on the page.
     * They go to the operation of the API, and its result decides what the browser sees next.
     */
    public Future<Reply> submit(ApiRequest request) {
        var name = request.pathParam("form");
        var form = name == null ? HostedForm.LINK : HostedForm.of(name).orElseThrow(HostedPageHandler::notFound);
        var entered = request.form();
        return withVisit(request, entered.get("request"), visit -> submit(request, visit, form, entered));
    }

    private Future<Reply> submit(ApiRequest request, HostedVisit visit, HostedForm form, MultiMap entered) {
        var linked = Screen.linked(given(entered, "to"));
        if (linked.isPresent()) {
            return show(visit, linked(request, visit, linked.get(), entered));
        }
        var view = typed(form.screen(), entered);
        if (form == HostedForm.SET_UP_FACTOR) {
            var setUp = visits.setUp(visit, given(entered, "setUp"));
            if (setUp.isEmpty()) {
                return Future.succeededFuture(answers.startOver(visit, ErrorStatus.FORBIDDEN));
            }
            view = view.withSetUp(setUp.get());
            entered.set("mfaToken", setUp.get().mfaToken());
        }
        if (form == HostedForm.LINK) {
            var asked = visits.requestedLink(request.http(), visit);
            if (asked.isEmpty()) {
                return show(visit, View.of(Screen.LINK_ELSEWHERE));
            }
            entered.set("email", asked.get().email());
            view = view.withEmail(asked.get().email()).with("token", given(entered, "token"));
        }
        return submit(request, visit, form, entered, view);
    }

    private static View typed(Screen screen, MultiMap entered) {
        return View.of(screen)
                .withEmail(given(entered, "email"))
                .with("displayName", given(entered, "displayName"))
                .with("mfaToken", given(entered, "mfaToken"))
                .with("phone", given(entered, "phone"))
                .with("connection", given(entered, "connection"))
                .with("connectionName", given(entered, "connectionName"));
    }

    /** The screen that a button leads to. A form of another site brings nothing along. */
    private View linked(ApiRequest request, HostedVisit visit, Screen screen, MultiMap entered) {
        var isOurs = visits.isOurForm(request.http(), visit, entered.get("formToken"));
        if (screen.asksForFactor() && (!isOurs || given(entered, "mfaToken").isEmpty())) {
            return View.of(Screen.SIGN_IN);
        }
        return isOurs ? typed(screen, entered) : View.of(screen);
    }

    private Future<Reply> submit(ApiRequest request, HostedVisit visit, HostedForm form, MultiMap entered, View view) {
        if (!visits.isOurForm(request.http(), visit, entered.get("formToken"))) {
            return show(visit, stale(view).withProblem(ErrorStatus.FORBIDDEN.code(), "problem.stale", Map.of()));
        }
        return Future.succeededFuture()
                .compose(ready -> form == HostedForm.EMAIL
                        ? findWay(request, visit, view)
                        : run(request, visit, form, entered)
                                .compose(result -> result.isEmpty()
                                        ? show(visit, form.next(view, entered.contains("again")))
                                        : after(request, visit, view, result.get())))
                .recover(failure -> failure instanceof ApiException refused
                        ? refused(request, visit, view, refused)
                        : Future.failedFuture(failure));
    }

    /**
     * The form again, without what another site may have sent: only an email, which a link can bring along too. Otherwise
     * our page would show a button with a name and a provider of a stranger's choice.
     */
    private static View stale(View view) {
        if (view.setUp() != null) {
            return view; // which this browser had from us
        }
        var screen = switch (view.screen()) {
            case SECOND_FACTOR, BACKUP_CODE -> Screen.SIGN_IN;
            case ENTER_SMS_CODE -> Screen.SMS_CODE;
            case LINK -> Screen.LINK_ELSEWHERE;
            default -> view.screen();
        };
        return View.of(screen).withEmail(Objects.requireNonNullElse(loginHint(view.email()), ""));
    }

    /**
     * Goes on from the email to the ways that are open to it. Which these are depends on its domain alone, so this tells
     * nobody who has an account.
     */
    private Future<Reply> findWay(ApiRequest request, HostedVisit visit, View view) {
        visitors.count(request, HostedForm.EMAIL.quota());
        var email = loginHint(view.email());
        if (email == null) {
            return show(
                    visit, view.withProblem(ErrorStatus.UNPROCESSABLE.code(), "", Map.of("email", "problem.email")));
        }
        return providers.connection(visit.project(), email).compose(found -> {
            if (found.isPresent() && found.get().isRequired()) {
                return leaveForProvider(request, visit, found.get().provider(), email);
            }
            var signIn = View.of(Screen.SIGN_IN).withEmail(view.email());
            if (found.isPresent()) {
                return show(
                        visit,
                        signIn.with("connection", found.get().provider())
                                .with("connectionName", found.get().name()));
            }
            return show(
                    visit,
                    visit.hasOwnWays()
                            ? signIn
                            : view.withProblem(
                                    ErrorStatus.UNPROCESSABLE.code(), "", Map.of("email", "problem.unknown-domain")));
        });
    }

    /** Sends people who have to use their organization's provider there, whatever they have tried here. */
    private Future<Reply> refused(ApiRequest request, HostedVisit visit, View view, ApiException refused) {
        return refused.code() == ErrorCode.SSO_REQUIRED
                ? leaveForProvider(
                        request, visit, String.valueOf(refused.extraFields().get("provider")), loginHint(view.email()))
                : Future.succeededFuture(answers.refused(visit, view, refused));
    }

    private static @Nullable String loginHint(String typed) {
        try {
            return UserFields.email(typed);
        } catch (InvalidValueException none) {
            return null;
        }
    }

    private static String given(MultiMap entered, String field) {
        return Objects.requireNonNullElse(entered.get(field), "");
    }

    /** Runs the operation that the form stands for, within the limits of its own route; empty if it signs nobody in. */
    private Future<Optional<SignInResult>> run(
            ApiRequest request, HostedVisit visit, HostedForm form, MultiMap entered) {
        visitors.count(request, form.quota());
        request.replaceBody(form.body(entered));
        return form.screen()
                .captcha()
                .map(purpose -> visitors.requireCaptcha(request, purpose))
                .orElseGet(Future::succeededFuture)
                .compose(allowed -> browsers.note(request, visit.project().id()))
                .compose(noted -> run(request, visit, form));
    }

    private Future<Optional<SignInResult>> run(ApiRequest request, HostedVisit visit, HostedForm form) {
        var signIns = ways.signIns;
        return switch (form) {
            case EMAIL -> throw new IllegalArgumentException(form + " signs nobody in");
            case SIGN_IN -> signIns.signIn.signInOnPage(request).map(Optional::of);
            case SIGN_UP -> signIns.signUp.signUpOnPage(request).map(Optional::of);
            case SECOND_FACTOR, BACKUP_CODE ->
                signIns.signIn.verifyMfaOnPage(request).map(Optional::of);
            case SET_UP_FACTOR ->
                ways.factors.operations.verifyTotpSetupOnPage(request).map(Optional::of);
            case VERIFY -> signIns.email.verifyOnPage(request).map(Optional::of);
            case ENTER_EMAIL_CODE, ENTER_SMS_CODE ->
                ways.passwordless.operations.verifyCodeOnPage(request).map(Optional::of);
            case LINK -> ways.passwordless.operations.verifyLinkOfPage(request).map(Optional::of);
            case PASSKEY -> ways.passkeys.operations.finishSignInOnPage(request).map(Optional::of);
            case RESEND -> signIns.email.resendCode(request).map(Optional.empty());
            case FORGOT_PASSWORD -> signIns.password.forgot(request).map(Optional.empty());
            case RESET_PASSWORD -> signIns.password.reset(request).map(Optional.empty());
            case EMAIL_CODE ->
                ways.passwordless.operations.sendEmailOtp(request).map(Optional.empty());
            case SMS_CODE -> ways.phones.operations.requestSmsOtp(request).map(Optional.empty());
            case MAGIC_LINK ->
                ways.passwordless
                        .operations
                        .sendLinkToPage(request)
                        .onSuccess(email -> request.http().response().addCookie(visits.linkCookie(visit, email)))
                        .map(Optional.empty());
        };
    }

    /** What the browser sees after a step of a sign in, with any form or provider. */
    private Future<Reply> after(ApiRequest request, HostedVisit visit, View view, SignInResult result) {
        if (result instanceof Completed opened) {
            return answers.signedIn(request, visit, view.setUp(), opened);
        }
        if (result instanceof VerificationRequired required) {
            var email = view.email().isEmpty() ? required.email() : view.email();
            var notice = view.screen() == Screen.SIGN_UP ? "notice.verify" : "notice.sent";
            return show(visit, View.of(Screen.VERIFY).withEmail(email).withNotice(notice));
        }
        if (result instanceof FactorRequired required) {
            return show(visit, View.of(Screen.SECOND_FACTOR).with("mfaToken", required.mfaToken()));
        }
        return result instanceof EnrolmentRequired required
                ? setUpFactor(request, visit, required.mfaToken())
                : Future.failedFuture(((Refused) result).error());
    }

    /** Continues the sign in with a second factor that the person sets up now. */
    private Future<Reply> setUpFactor(ApiRequest request, HostedVisit visit, String mfaToken) {
        return Future.succeededFuture()
                .compose(ready -> {
                    visitors.count(request, Quota.SIGN_IN);
                    return ways.factors.operations.setUpTotpOnPage(visit.project(), mfaToken);
                })
                .map(setUp ->
                        pages.show(visit, View.of(Screen.SET_UP_FACTOR).withSetUp(FactorSetUp.of(mfaToken, setUp))))
                .recover(failure -> failure instanceof ApiException refused
                        ? Future.succeededFuture(answers.refused(visit, View.of(Screen.SIGN_IN), notSetUp(refused)))
                        : Future.failedFuture(failure));
    }

    /**
     * The project has no one-time passwords, or the account has no email and so no password: no form could fix that.
     */
    private static ApiException notSetUp(ApiException refused) {
        return refused.status() == ErrorStatus.NOT_FOUND || refused.status() == ErrorStatus.CONFLICT
                ? ApiException.of(ErrorCode.MFA_REQUIRED, refused.message())
                : refused;
    }

    /** {@code POST /p/:slug/go-on}: sends the browser to the application after the person has seen the backup codes. */
    public Future<Reply> leaveBackupCodes(ApiRequest request) {
        var entered = request.form();
        return withVisit(
                request,
                entered.get("request"),
                visit -> visit.request().isPresent()
                                && visits.isOurForm(request.http(), visit, entered.get("formToken"))
                        ? answers.continueWith(request, visit, visit.request().get(), given(entered, "ticket"))
                        : Future.succeededFuture(answers.startOver(visit, ErrorStatus.FORBIDDEN)));
    }

    /**
     * {@code POST /p/:slug/passkey-challenge}: a challenge as JSON, for the page's script. The API's own route would
     * refuse the page's origin, unless it is an allowed origin of the application.
     */
    public Future<Reply> beginPasskey(ApiRequest request) {
        var entered = request.form();
        return withVisit(request, entered.get("request"), visit -> {
            if (!visits.isOurForm(request.http(), visit, entered.get("formToken"))) {
                throw ApiException.of(ErrorCode.STALE_FORM, "This form is too old, or does not belong to this page.");
            }
            visitors.count(request, Quota.OAUTH);
            request.replaceBody(JsonNodeFactory.instance.objectNode());
            return ways.passkeys.operations.beginSignIn(request);
        });
    }

    /** {@code POST /p/:slug/provider}: begins a sign in with a provider, and sends the browser there. */
    public Future<Reply> leaveForProvider(ApiRequest request) {
        var entered = request.form();
        var provider = given(entered, "provider");
        return withVisit(
                request,
                entered.get("request"),
                visit -> visits.isOurForm(request.http(), visit, entered.get("formToken"))
                        ? leaveForProvider(request, visit, provider, loginHint(given(entered, "email")))
                        : show(
                                visit,
                                View.of(Screen.SIGN_IN)
                                        .withProblem(ErrorStatus.FORBIDDEN.code(), "problem.stale", Map.of())));
    }

    private Future<Reply> leaveForProvider(
            ApiRequest request, HostedVisit visit, String provider, @Nullable String loginHint) {
        return Future.succeededFuture()
                .compose(ready -> {
                    visitors.count(request, Quota.OAUTH);
                    return providers.start(
                            visit.project(),
                            provider,
                            publicUrl + "/p/" + visit.project().slug() + "/from-provider",
                            visit.requestText(),
                            browser(request, visit),
                            loginHint);
                })
                .map(url -> pages.leave(visit, url.toString()))
                .recover(failure -> refusedOfProvider(visit, failure));
    }

    private Browser browser(ApiRequest request, HostedVisit visit) {
        return new Browser(visit.cookie(), request.device());
    }

    private Future<Reply> refusedOfProvider(HostedVisit visit, Throwable failure) {
        return failure instanceof ApiException refused
                ? Future.succeededFuture(answers.refusedOfProvider(visit, refused))
                : Future.failedFuture(failure);
    }

    /**
     * {@code GET /p/:slug/from-provider}: completes a sign in with a provider in the browser that started it, like any
     * other sign in on the page. A HEAD request does not use up the sign in, nor does a request that no person sees.
     */
    public Future<Reply> returnFromProvider(ApiRequest request) {
        return withVisit(
                request,
                null,
                visit -> isSeen(request)
                        ? browsers.note(request, visit.project().id())
                                .compose(noted -> providers.finish(
                                        visit.project(), request.queryParams(), browser(request, visit)))
                                .compose(ended -> ended.isEmpty()
                                        ? Future.succeededFuture(pages.stale(visit))
                                        : serve(
                                                request,
                                                visits.resume(visit, ended.get().resume()),
                                                resumed -> conclude(request, resumed, ended.get())))
                        : Future.succeededFuture(pages.stale(visit)));
    }

    /** Whether a person sees the answer: it is for a page of its own. */
    static boolean isSeen(ApiRequest request) {
        return isOpened(request) && !"iframe".equals(request.header(DESTINATION));
    }

    /** Whether the answer is for a page, and not for what a browser fetches in advance, or within a page. */
    private static boolean isOpened(ApiRequest request) {
        var destination = request.header(DESTINATION);
        var purpose = request.header("Sec-Purpose");
        return (destination == null || destination.equals("document") || destination.equals("iframe"))
                && (purpose == null || !purpose.contains("prefetch"))
                && !request.http().method().equals(HttpMethod.HEAD);
    }

    private Future<Reply> conclude(ApiRequest request, HostedVisit visit, ReturnedSignIn ended) {
        return ended.result()
                .apply(visit.language())
                .compose(result -> after(request, visit, View.of(Screen.SIGN_IN), result))
                .recover(failure -> refusedOfProvider(visit, failure));
    }
}
