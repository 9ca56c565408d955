package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.http.Reply;
import dev.vestibule.oauth.server.Authorizations;
import dev.vestibule.oauth.server.Authorizations.Person;
import dev.vestibule.oauth.server.Authorizations.Step;
import dev.vestibule.page.hosted.HostedPages.View;
import dev.vestibule.page.hosted.HostedRequest.ReturnTo;
import dev.vestibule.project.Language;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.user.UserFields;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows people what an authorization request needs of them, and sends the browser back to the client. */
final class HostedAuthorizations {
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    /** What can be wrong with a request, as the page's URL says. */
    private static final Set<String> PARAMETERS = Set.of("client_id", "redirect_uri", "request_uri");

    private final Authorizations authorizations;
    private final BrowserSessions browsers;
    private final HostedVisits visits;
    private final HostedPages pages;
    private final Clock clock;

    HostedAuthorizations(
            Authorizations authorizations,
            BrowserSessions browsers,
            HostedVisits visits,
            HostedPages pages,
            Clock clock) {
        this.authorizations = authorizations;
        this.browsers = browsers;
        this.visits = visits;
        this.pages = pages;
        this.clock = clock;
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
                        ReturnTo.withoutCode(""),
                        Screen.SIGN_IN,
                        email,
                        visit.language(),
                        clock.instant().plus(LIFETIME),
                        false,
                        secret));
    }

    /** What comes next. */
    Future<Reply> next(ApiRequest request, HostedVisit visit, String secret) {
        return browsers.person(request, visit.project())
                .compose(person -> authorizations
                        .next(
                                visit.project(),
                                secret,
                                visit.proof().cookie(),
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
                        visit.proof().cookie(),
                        person,
                        visit.language().text(),
                        request.trail())
                .compose(step -> show(request, visit, step, Optional.of(person)));
    }

    /** Whether a provider that knows the browser has to let the person sign in again. */
    Future<Boolean> wantsFreshSignIn(HostedVisit visit, String secret) {
        return authorizations.wantsFreshSignIn(
                visit.project(), secret, visit.proof().cookie());
    }

    /** Before something else is shown, the person has signed in for this request. */
    Future<Void> remember(HostedVisit visit, String secret, Completed opened) {
        return authorizations.remember(visit.project(), secret, visit.proof().cookie(), opened.session());
    }

    /**
     * What comes next, after the person has pressed a button. What they saw was about one account; if another one is
     * signed in by now, they are asked again.
     */
    Future<Reply> decided(ApiRequest request, HostedVisit visit, String secret, String decision, String account) {
        if (decision.equals("switch")) {
            var another = visit.request().map(HostedRequest::ofFresh).map(asked -> visits.with(visit, asked));
            return signIn(another.orElse(visit), Screen.SIGN_IN, ""); // else a provider would choose the same account
        }
        return browsers.person(request, visit.project()).compose(person -> {
            var isSame = person.isPresent()
                    && visits.isShownAccount(visit, account, person.get().session());
            var language = visit.language().text();
            Future<Step> step;
            if (decision.equals("back")) { // about no account
                step = authorizations.sentBack(
                        visit.project(), secret, visit.proof().cookie(), person, language, request.trail());
            } else if (!isSame) {
                step = authorizations.next(
                        visit.project(), secret, visit.proof().cookie(), person, language, request.trail());
            } else if (decision.equals("continue")) {
                step = authorizations.chosen(
                        visit.project(), secret, visit.proof().cookie(), person, language, request.trail());
            } else {
                step = authorizations.decided(
                        visit.project(),
                        secret,
                        visit.proof().cookie(),
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
        return person.map(who -> visits.account(visit, who.session())).orElse("");
    }
}
