package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.access.PageVisitors;
import dev.vestibule.authentication.AuthenticationModule;
import dev.vestibule.authentication.oauth.PageSignIn;
import dev.vestibule.authentication.oauth.PageSignIn.Browser;
import dev.vestibule.authentication.oauth.PageSignIn.ReturnedSignIn;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Form;
import dev.vestibule.http.Reply;
import dev.vestibule.http.limits.Quota;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.token.SignInResult;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.SignInResult.EnrolmentRequired;
import dev.vestibule.token.SignInResult.FactorRequired;
import dev.vestibule.token.SignInResult.Refused;
import dev.vestibule.token.SignInResult.VerificationRequired;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Signing in on the page of a project, {@code /p/:slug/}: one method per operation. */
public final class HostedPageHandler {
    private static final int SLASHES_OF_BARE_ADDRESS = 2;

    private final HostedEntrance entrance;
    private final HostedVisits visits;
    private final PageVisitors visitors;
    private final AuthenticationModule ways;
    private final PageSignIn providers;
    private final HostedAnswers answers;
    private final BrowserSessions browsers;
    private final HostedPages pages;

    HostedPageHandler(
            HostedEntrance entrance,
            HostedVisits visits,
            PageVisitors visitors,
            AuthenticationModule ways,
            PageSignIn providers,
            HostedAnswers answers,
            BrowserSessions browsers,
            HostedPages pages) {
        this.entrance = entrance;
        this.visits = visits;
        this.visitors = visitors;
        this.ways = ways;
        this.providers = providers;
        this.answers = answers;
        this.browsers = browsers;
        this.pages = pages;
    }

    /** {@code GET /p/:slug/}: the page with the requested screen. */
    public Future<Reply> show(ApiRequest request) {
        return entrance.serve(
                request,
                request.queryParams().get("request"),
                visit -> visit.request()
                        .filter(asked -> canSkip(request, asked))
                        .map(asked -> skip(request, visit, asked))
                        .orElseGet(() -> showFirst(request, visit)));
    }

    /** Whether a person whom the browser knows need not see the page. */
    private static boolean canSkip(ApiRequest request, HostedRequest asked) {
        return asked.screen() == Screen.SIGN_IN
                && !asked.fresh()
                && !request.queryParams().contains("screen")
                && HostedEntrance.isSeen(request);
    }

    /** Returns to the application without a question, if the browser knows as whom. */
    private Future<Reply> skip(ApiRequest request, HostedVisit visit, HostedRequest asked) {
        return answers.known(request, visit, asked)
                .compose(reply -> reply.isPresent() ? Future.succeededFuture(reply.get()) : showFirst(request, visit));
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

    /**
     * {@code GET /p/:slug/link}: the target of a link in a mail. It signs nobody in, since mail filters open links; in
     * the browser that requested the link, it shows a button that does.
     */
    public Future<Reply> showLink(ApiRequest request) {
        var token = Objects.requireNonNullElse(request.queryParams().get("token"), "");
        return entrance.serve(
                request,
                null,
                visit -> visits.requestedLink(request.http(), visit)
                        .map(asked -> entrance.resume(
                                request,
                                visit,
                                asked.request(),
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
        var form = name == null ? HostedForm.LINK : HostedForm.of(name).orElseThrow(HostedVisits::nothingHere);
        var entered = request.form();
        return entrance.serve(request, entered.get("request"), visit -> submit(request, visit, form, entered));
    }

    private Future<Reply> submit(ApiRequest request, HostedVisit visit, HostedForm form, MultiMap entered) {
        var linked = Screen.linked(Form.value(entered, "to"));
        if (linked.isPresent()) {
            return show(visit, linked(request, visit, linked.get(), entered));
        }
        var view = typed(form.screen(), entered);
        if (form == HostedForm.SET_UP_FACTOR) {
            var setUp = visits.setUp(visit, Form.value(entered, "setUp"));
            if (setUp.isEmpty()) {
                return Future.succeededFuture(pages.startOver(visit, ErrorStatus.FORBIDDEN));
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
            view = view.withEmail(asked.get().email()).with("token", Form.value(entered, "token"));
        }
        return submit(request, visit, form, entered, view);
    }

    private static View typed(Screen screen, MultiMap entered) {
        return View.of(screen)
                .withEmail(Form.value(entered, "email"))
                .with("displayName", Form.value(entered, "displayName"))
                .with("mfaToken", Form.value(entered, "mfaToken"))
                .with("phone", Form.value(entered, "phone"))
                .with("connection", Form.value(entered, "connection"))
                .with("connectionName", Form.value(entered, "connectionName"));
    }

    /** The screen that a button leads to. A form of another site brings nothing along. */
    private View linked(ApiRequest request, HostedVisit visit, Screen screen, MultiMap entered) {
        var isOurs = visits.isOurForm(request, visit, entered);
        if (screen.asksForFactor()
                && (!isOurs || Form.value(entered, "mfaToken").isEmpty())) {
            return View.of(Screen.SIGN_IN);
        }
        return isOurs ? typed(screen, entered) : View.of(screen);
    }

    private Future<Reply> submit(ApiRequest request, HostedVisit visit, HostedForm form, MultiMap entered, View view) {
        if (!visits.isOurForm(request, visit, entered)) {
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
     * The form again, without what another site may have sent: only an email, which a link can bring along too.
     * Otherwise our page would show a button with a name and a provider of a stranger's choice.
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
     * Goes on from the email to the ways that are open to it. Which these are depends on its domain alone, so this
     * tells nobody who has an account.
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

    /** The project has no one-time passwords, or the account has them by now: no form could fix that. */
    private static ApiException notSetUp(ApiException refused) {
        return refused.status() == ErrorStatus.NOT_FOUND || refused.status() == ErrorStatus.CONFLICT
                ? ApiException.of(ErrorCode.MFA_REQUIRED, refused.message())
                : refused;
    }

    /** {@code POST /p/:slug/go-on}: sends the browser to the application after the person has seen the backup codes. */
    public Future<Reply> leaveBackupCodes(ApiRequest request) {
        var entered = request.form();
        return entrance.serve(
                request,
                entered.get("request"),
                visit -> visit.request().isPresent() && visits.isOurForm(request, visit, entered)
                        ? answers.continueWith(request, visit, visit.request().get(), Form.value(entered, "ticket"))
                        : Future.succeededFuture(pages.startOver(visit, ErrorStatus.FORBIDDEN)));
    }

    /**
     * {@code POST /p/:slug/passkey-challenge}: a challenge as JSON, for the page's script. The API's own route would
     * refuse the page's origin, unless it is an allowed origin of the application.
     */
    public Future<Reply> beginPasskey(ApiRequest request) {
        var entered = request.form();
        return entrance.serve(request, entered.get("request"), visit -> {
            if (!visits.isOurForm(request, visit, entered)) {
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
        var provider = Form.value(entered, "provider");
        return entrance.serve(
                request,
                entered.get("request"),
                visit -> visits.isOurForm(request, visit, entered)
                        ? leaveForProvider(request, visit, provider, loginHint(Form.value(entered, "email")))
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
                    return answers.wantsFreshSignIn(visit);
                })
                .compose(fresh -> providers.start(
                        visit.project(),
                        provider,
                        visits.address(visit) + "from-provider",
                        visit.requestText(),
                        browser(request, visit),
                        loginHint,
                        fresh))
                .map(url -> pages.leave(visit, url.toString()))
                .recover(failure -> refusedOfProvider(visit, failure));
    }

    private Browser browser(ApiRequest request, HostedVisit visit) {
        return new Browser(visit.proof().cookie(), request.device());
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
        return entrance.serve(
                request,
                null,
                visit -> HostedEntrance.isSeen(request)
                        ? browsers.note(request, visit.project().id())
                                .compose(noted -> providers.finish(
                                        visit.project(), request.queryParams(), browser(request, visit)))
                                .compose(ended -> ended.isEmpty()
                                        ? Future.succeededFuture(pages.stale(visit))
                                        : entrance.resume(
                                                request,
                                                visit,
                                                ended.get().resume(),
                                                resumed -> conclude(request, resumed, ended.get())))
                        : Future.succeededFuture(pages.stale(visit)));
    }

    private Future<Reply> conclude(ApiRequest request, HostedVisit visit, ReturnedSignIn ended) {
        return answers.wantsFreshSignIn(visit)
                .compose(fresh -> ended.end().open(visit.language(), fresh))
                .compose(result -> after(request, visit, View.of(Screen.SIGN_IN), result))
                .recover(failure -> refusedOfProvider(visit, failure));
    }
}
