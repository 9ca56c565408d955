package dev.vestibule.page.hosted;

import dev.vestibule.access.ApiRequest;
import dev.vestibule.authentication.factor.MfaChallenges;
import dev.vestibule.crypto.RandomSecrets;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.error.ErrorCode;
import dev.vestibule.journal.Fact.Logged;
import dev.vestibule.journal.Target;
import dev.vestibule.oauth.server.Authorizations.Person;
import dev.vestibule.page.hosted.BrowserSessionStore.Known;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectId;
import dev.vestibule.session.ActiveSessionStore;
import dev.vestibule.session.ActiveSessionStore.Live;
import dev.vestibule.session.SessionId;
import dev.vestibule.session.SessionStore;
import dev.vestibule.session.SessionStore.SignIn;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.user.Account;
import dev.vestibule.user.UserStore;
import io.vertx.core.Future;
import io.vertx.core.http.Cookie;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Single sign-on: a browser in which somebody has signed in on the page need not ask again for another application of
 * the project. The cookie stands for the session of that sign in, so whatever ends the session ends this too. Each sign
 * in makes a new cookie, so that one which an attacker has put into the browser is never worth anything.
 */
final class BrowserSessions {
    private static final Duration IDLE = Duration.ofDays(7);
    private static final Duration LONGEST = Duration.ofDays(30);
    private static final int COOKIE_BYTES = 32;
    private static final Pattern COOKIE = Pattern.compile("[A-Za-z0-9_-]{43}");

    private final Database database;
    private final SessionStore sessions;
    private final BrowserSessionStore store = new BrowserSessionStore();
    private final ActiveSessionStore active = new ActiveSessionStore();
    private final UserStore users = new UserStore();
    private final PageCookies cookies;
    private final Clock clock;

    BrowserSessions(Database database, SessionStore sessions, PageCookies cookies, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.cookies = cookies;
        this.clock = clock;
    }

    /** Before somebody signs in: which session the browser has, no matter whose. */
    Future<Void> note(ApiRequest request, ProjectId project) {
        return cookie(request, project)
                .map(text -> store.use(database.writes(), project, text, clock.instant(), IDLE, LONGEST))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .onSuccess(session -> session.ifPresent(request::comesFromBrowserOf))
                .mapEmpty();
    }

    /**
     * Makes this the session of the browser. The person's session before it continues, for the applications that have
     * tokens of it, until the person signs out.
     */
    Future<Void> begin(ApiRequest request, ProjectId project, SessionId session) {
        var text = SignedFields.base64(RandomSecrets.bytes(COOKIE_BYTES));
        var now = clock.instant();
        return cookie(request, project)
                .map(old -> store.delete(database.writes(), project, old))
                .orElseGet(Future::succeededFuture)
                .compose(deleted -> store.add(database.writes(), project, text, session, now, now.plus(IDLE)))
                .onSuccess(added -> request.http()
                        .response()
                        .addCookie(cookies.of(name(project), text).setMaxAge(LONGEST.toSeconds())));
    }

    /** The person who is signed in in this browser; empty for one who would have to sign in in another way by now. */
    Future<Optional<Person>> person(ApiRequest request, Project project) {
        return personToSignOut(request, project)
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(found)
                        : sessions.connections()
                                .isOutdated(
                                        database.reads(),
                                        project.id(),
                                        found.get().user().email(),
                                        found.get().authentication().at())
                                .map(isOutdated -> found.filter(person -> !isOutdated)));
    }

    /** The person who is signed in in this browser, whatever the project requires by now. */
    Future<Optional<Person>> personToSignOut(ApiRequest request, Project project) {
        var cookie = cookie(request, project.id());
        if (cookie.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        var now = clock.instant();
        return store.useLive(database.writes(), project, cookie.get(), now, IDLE, LONGEST)
                .map(found ->
                        found.filter(known -> known.session().authentication().impersonator() == null
                                && isEnough(project, known.session(), now)))
                .compose(found -> found.filter(Known::isDue).isEmpty()
                        ? Future.succeededFuture(found)
                        : active.extend(database.writes(), project, found.get().id(), now, now.plus(IDLE))
                                .map(found))
                .map(found -> found.map(known -> new Person(
                        known.id(),
                        known.session().authentication(),
                        known.session().user())));
    }

    /** Whether the project, which may require a second factor since the sign in, would still take that. */
    private static boolean isEnough(Project project, Live session, Instant now) {
        var account = new Account(session.user(), null);
        return !project.factors().requiresMfa()
                || session.authentication().isMultiFactor()
                || (!account.hasSecondFactor(project) && !MfaChallenges.mustEnrol(project, account, now));
    }

    /**
     * A session for one more application, as the person signed in before; empty if they have to do more than that by
     * now.
     */
    Future<Optional<Completed>> open(ApiRequest request, Project project, Person person) {
        var session = SessionId.next();
        var now = clock.instant();
        return database.<Optional<Completed>>inTransaction(transaction -> users.lock(
                                transaction, project.id(), person.user().id())
                        .compose(found -> found.isEmpty()
                                        || found.get().user().isBanned()
                                        || (!person.authentication().isMultiFactor()
                                                && (found.get().hasSecondFactor(project)
                                                        || MfaChallenges.mustEnrol(project, found.get(), now)))
                                ? Future.succeededFuture(Optional.empty())
                                : active.findLive(transaction, project.id(), person.session(), now)
                                        .compose(live -> live.isEmpty()
                                                ? Future.succeededFuture(Optional.empty()) // signed out by now
                                                : open(
                                                        transaction,
                                                        request,
                                                        project,
                                                        person,
                                                        session,
                                                        found.get(),
                                                        now))))
                .recover(failure -> isForConnection(failure)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }

    /** The organization's provider decides each time, and usually without a question. */
    private static boolean isForConnection(Throwable failure) {
        return failure instanceof ApiException refused && refused.code() == ErrorCode.SSO_REQUIRED;
    }

    private Future<Optional<Completed>> open(
            SqlConnection transaction,
            ApiRequest request,
            Project project,
            Person person,
            SessionId session,
            Account account,
            Instant now) {
        return sessions.open(
                        transaction,
                        project,
                        SignIn.again(
                                session,
                                ApiVariant.A,
                                account,
                                request.device(),
                                person.authentication(),
                                person.session(),
                                now))
                .map(opened ->
                        opened.map(signedIn -> new Completed(session, person.authentication(), signedIn.user())));
    }

    /**
     * Signs the person out: the browser forgets the session, which ends with those of the applications that have shared
     * its sign in.
     */
    Future<Void> end(ApiRequest request, ProjectId project, Optional<Person> person) {
        var forgotten = cookie(request, project)
                .map(text -> store.delete(database.writes(), project, text))
                .orElseGet(Future::succeededFuture);
        request.http().response().addCookie(cookies.of(name(project), "").setMaxAge(0));
        return person.isEmpty() ? forgotten : forgotten.compose(done -> end(request, project, person.get()));
    }

    private Future<Void> end(ApiRequest request, ProjectId project, Person person) {
        var user = person.user().id();
        var trail = request.trail().as(user.value());
        return database.inTransaction(transaction -> users.lock(transaction, project, user)
                .compose(locked -> sessions.endOfBrowser(transaction, project, user, person.session(), clock.instant()))
                .compose(ended -> ended.isEmpty()
                        ? Future.succeededFuture()
                        : trail.record(
                                transaction,
                                Logged.SIGN_OUT,
                                Target.session(person.session().value()))));
    }

    Future<Void> purge(Database at) {
        return BrowserSessionStore.EXPIRED.remove(at, clock.instant());
    }

    private Optional<String> cookie(ApiRequest request, ProjectId project) {
        return Optional.ofNullable(request.http().getCookie(cookies.name(name(project))))
                .map(Cookie::getValue)
                .filter(text -> COOKIE.matcher(text).matches());
    }

    /** One for each project, since projects can share a host. */
    private static String name(ProjectId project) {
        return "sso-" + project;
    }
}
