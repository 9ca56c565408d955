package dev.vestibule.page.hosted;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.vestibule.access.ApiRequest;
import dev.vestibule.crypto.Sha256;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorStatus;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.mail.WrongCodeBudget;
import dev.vestibule.oauth.server.Authorizations;
import dev.vestibule.oauth.server.Authorizations.Person;
import dev.vestibule.oauth.server.Authorizations.Step;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.project.Language;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows people what an authorization request needs of them, and sends the browser back to the client. */
final class HostedAuthorizations {
    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final int SEE_OTHER = 303;
    private static final int MAX_DEVICE_CODE = 40;

    /** What can be wrong with a request, as the page's URL says. */
    private static final Set<String> PARAMETERS = Set.of("client_id", "redirect_uri", "request_uri");

    private final Database database;
    private final Authorizations authorizations;
    private final WrongCodeBudget wrongCodes;
    private final BrowserSessions browsers;
    private final HostedVisits visits;
    private final HostedPages pages;
    private final URI publicUrl;
    private final Clock clock;

    HostedAuthorizations(
            Database database,
            Authorizations authorizations,
            WrongCodeBudget wrongCodes,
            BrowserSessions browsers,
            HostedVisits visits,
            HostedPages pages,
            URI publicUrl,
            Clock clock) {
        this.database = database;
        this.authorizations = authorizations;
        this.wrongCodes = wrongCodes;
        this.browsers = browsers;
        this.visits = visits;
        this.pages = pages;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    /**
     * Stores the request and sends the browser to the page, which a POST of another site would reach without its
     * cookies; errors go to the client if its redirect URI is right, and to the page if it is not.
     */
    Future<Reply> begin(ApiRequest request) {
        var project = request.project();
        var isPost = request.http().method().equals(HttpMethod.POST);
        var given = isPost ? request.form() : request.queryParams();
        var page = publicUrl + "/p/" + project.slug() + "/authorize?";
        return authorizations.begin(project, given).map(step -> {
            if (step instanceof Step.Answer answer) {
                return answer.response().reply();
            }
            if (step instanceof Step.Begun begun) {
                var language = begun.language() == null ? "" : "&ui_locales=" + begun.language();
                return redirect(page + "authorization=" + begun.secret() + language);
            }
            return redirect(page + "problem=" + ((Step.Wrong) step).parameter());
        });
    }

    static Reply redirect(String url) {
        var reply = Reply.redirect(url);
        return new Reply(SEE_OTHER, reply.body(), reply.headers()).withHeader("Referrer-Policy", "no-referrer");
    }

    /** The first page of a request. */
    Future<Reply> open(ApiRequest request, HostedVisit visit) {
        var secret = request.queryParams().get("authorization");
        if (secret == null) {
            var problem = Objects.requireNonNullElse(request.queryParams().get("problem"), "");
            return Future.succeededFuture(
                    pages.wrongRequest(visit, PARAMETERS.contains(problem) ? problem : "client_id"));
        }
        var language = Optional.ofNullable(request.queryParams().get("ui_locales"))
                .flatMap(Language::ofTags)
                .orElse(visit.language());
        return next(request, waiting(visit.with(language, Optional.empty(), ""), secret, null), secret);
    }

    /** The visit whose forms know the authorization request. */
    private HostedVisit waiting(HostedVisit visit, String secret, @Nullable String email) {
        return visits.with(
                visit,
                new HostedRequest(
                        "",
                        "",
                        null,
                        Screen.SIGN_IN,
                        email,
                        visit.language(),
                        clock.instant().plus(LIFETIME),
                        false,
                        secret));
    }

    /** The page to type the code of a device on, with what of it is in the URL: the person still has to send it. */
    View enterDevice(String code) {
        return View.of(Screen.DEVICE).with("code", code.length() > MAX_DEVICE_CODE ? "" : code);
    }

    /** Goes on with the request of the device that shows this code, within the tries of the browser and its network. */
    Future<Reply> enteredDevice(ApiRequest request, HostedVisit visit, String code) {
        var project = visit.project();
        var attempt = wrongCodes.ofDevice(project.id(), Buffer.buffer(Sha256.of(visit.cookie())), request.network());
        return wrongCodes
                .take(database.writes(), attempt)
                .compose(taken -> authorizations.beginDevice(project.id(), code))
                .compose(step -> step instanceof Step.Begun
                        ? Future.succeededFuture(step)
                        : wrongCodes
                                .countWrong(database.writes(), attempt, false)
                                .map(step))
                .map(step -> step instanceof Step.Begun begun
                        ? redirect(publicUrl + "/p/" + project.slug() + "/authorize?authorization=" + begun.secret())
                        : pages.show(
                                visit,
                                enterDevice(code)
                                        .withProblem(
                                                ErrorStatus.BAD_REQUEST.code(),
                                                "",
                                                Map.of("code", "problem.device-code"))))
                .recover(failure -> failure instanceof ApiException refused
                        ? Future.succeededFuture(pages.show(
                                visit,
                                refused.retryAfter() == null
                                        ? enterDevice(code)
                                                .withProblem(refused.status().code(), "problem.other", Map.of())
                                        : enterDevice(code)
                                                .withProblem(refused.status().code(), "", Map.of())
                                                .withWait(refused.retryAfter())))
                        : Future.failedFuture(failure));
    }

    /** What comes next. */
    Future<Reply> next(ApiRequest request, HostedVisit visit, String secret) {
        return browsers.person(request, visit.project())
                .compose(person -> authorizations
                        .next(
                                visit.project(),
                                secret,
                                visit.cookie(),
                                person,
                                visit.language().text(),
                                request.trail())
                        .compose(step -> show(request, visit, step, person)));
    }

    /** What comes next, after the person has signed in. */
    Future<Reply> signedIn(ApiRequest request, HostedVisit visit, String secret, Completed opened) {
        var person = new Person(opened.session(), opened.authentication(), opened.user());
        return authorizations
                .signedIn(
                        visit.project(),
                        secret,
                        visit.cookie(),
                        person,
                        visit.language().text(),
                        request.trail())
                .compose(step -> show(request, visit, step, Optional.of(person)));
    }

    /** Before something else is shown, the person has signed in for this request. */
    Future<Void> remember(HostedVisit visit, String secret, Completed opened) {
        return authorizations.remember(visit.project(), secret, visit.cookie(), opened.session());
    }

    /**
     * What comes next, after the person has pressed a button. What they saw was about one account; if another one is
     * signed in by now, they are asked again.
     */
    Future<Reply> decided(ApiRequest request, HostedVisit visit, String secret, String decision, String account) {
        if (decision.equals("switch")) {
            return signIn(visit, Screen.SIGN_IN, "");
        }
        return browsers.person(request, visit.project()).compose(person -> {
            var isSame = person.isPresent()
                    && visits.shownAccount(visit, account)
                            .filter(person.get().session().toString()::equals)
                            .isPresent();
            var language = visit.language().text();
            Future<Step> step;
            if (decision.equals("back")) { // about no account
                step = authorizations.sentBack(
                        visit.project(), secret, visit.cookie(), person, language, request.trail());
            } else if (!isSame) {
                step = authorizations.next(visit.project(), secret, visit.cookie(), person, language, request.trail());
            } else if (decision.equals("continue")) {
                step = authorizations.chosen(
                        visit.project(), secret, visit.cookie(), person, language, request.trail());
            } else {
                step = authorizations.decided(
                        visit.project(),
                        secret,
                        visit.cookie(),
                        person,
                        decision.equals("allow"),
                        language,
                        request.trail());
            }
            return step.compose(next -> show(request, visit, next, person));
        });
    }

    private Future<Reply> show(ApiRequest request, HostedVisit visit, Step step, Optional<Person> person) {
        return step instanceof Step.SignIn signIn
                ? signIn(visit, signIn.signsUp() ? Screen.SIGN_UP : Screen.SIGN_IN, email(signIn.loginHint()))
                : Future.succeededFuture(showKnown(request, visit, step, person));
    }

    private Future<Reply> signIn(HostedVisit visit, Screen screen, String email) {
        return visits.first(visit, screen)
                .map(first -> pages.show(visit, View.of(first).withEmail(email)));
    }

    /** What a person whom the browser knows sees next. */
    private Reply showKnown(ApiRequest request, HostedVisit visit, Step step, Optional<Person> person) {
        if (step instanceof Step.Consent consent) {
            return pages.ask(visit, Screen.CONSENT, consent.waiting(), name(person), account(visit, person));
        }
        if (step instanceof Step.ChooseAccount choice) {
            return pages.ask(visit, Screen.CHOOSE_ACCOUNT, choice.waiting(), name(person), account(visit, person));
        }
        if (step instanceof Step.SendBack back) {
            return pages.ask(visit, Screen.SEND_BACK, back.waiting(), "", "");
        }
        if (step instanceof Step.DeviceAnswered device) {
            return pages.show(visit, View.of(device.isAllowed() ? Screen.DEVICE_ALLOWED : Screen.DEVICE_REFUSED));
        }
        if (step instanceof Step.Answer answer) {
            var response = answer.response();
            // a form of the page must not be redirected to another origin (form-action of its policy)
            return request.http().method().equals(HttpMethod.POST) && !response.formPost()
                    ? pages.returnToApplication(visit, response.url())
                    : response.reply();
        }
        return pages.expired(visit);
    }

    private static String email(@Nullable String hint) {
        try {
            return hint == null ? "" : UserFields.email(hint);
        } catch (InvalidValueException notAnEmail) {
            return "";
        }
    }

    /** The name by which the person knows their account. */
    static String name(Optional<Person> person) {
        return person.map(Person::user)
                .map(user -> user.email() != null
                        ? user.email()
                        : user.phone() != null ? user.phone() : String.valueOf(user.displayName()))
                .orElse("");
    }

    private String account(HostedVisit visit, Optional<Person> person) {
        return visits.account(
                visit,
                JsonNodeFactory.instance
                        .objectNode()
                        .put(
                                "session",
                                person.map(who -> who.session().toString()).orElse("")));
    }
}
