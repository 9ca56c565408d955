package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.OauthPages.Answers;
import dev.vestibule.authentication.oauth.OauthState.Flow;
import dev.vestibule.authentication.oauth.ProviderSignIn.AuthorizationResponse;
import dev.vestibule.authentication.oauth.SignInEnding.ReturnedBrowser;
import dev.vestibule.crypto.MasterKeys;
import dev.vestibule.database.Database;
import dev.vestibule.error.ApiException;
import dev.vestibule.http.Reply;
import dev.vestibule.project.CachedProject;
import dev.vestibule.project.Project;
import dev.vestibule.project.ProjectDirectory;
import dev.vestibule.token.SignInResult.Completed;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;

/**
 * Finishes a sign in if this server receives the code, or sends the browser on to the page of this server that does.
 */
final class ServerHandledSignIn {
    /** What this server derives from the master secret for a sign in with a provider. */
    record OauthSecrets(Pkce pkce, ConsentTokens consents, PageResponses pageResponses) {
        static OauthSecrets of(MasterKeys masterKeys) {
            return new OauthSecrets(new Pkce(masterKeys), new ConsentTokens(masterKeys), new PageResponses(masterKeys));
        }
    }

    /** How long an outcome can be fetched. */
    static final Duration FETCH_TIME = Duration.ofMinutes(2);

    private static final String INTERNAL_ERROR = "Something went wrong on our side. Try again.";

    private final Database database;
    private final ProjectDirectory projects;
    private final OauthStateStore states = new OauthStateStore();
    private final ProviderSignIn signIn;
    private final Pkce pkce;
    private final ConsentTokens consents;
    private final OauthPages pages;
    private final PageResponses pageResponses;
    private final PopupEnding popup;
    private final RedirectEnding redirect;
    private final Clock clock;

    ServerHandledSignIn(
            Database database,
            ProjectDirectory projects,
            ProviderSignIn signIn,
            OauthSecrets secrets,
            OauthPages pages,
            PopupEnding popup,
            RedirectEnding redirect,
            Clock clock) {
        this.database = database;
        this.projects = projects;
        this.signIn = signIn;
        this.pkce = secrets.pkce();
        this.consents = secrets.consents();
        this.pages = pages;
        this.pageResponses = secrets.pageResponses();
        this.popup = popup;
        this.redirect = redirect;
        this.clock = clock;
    }

    /** The page for the browser, or the redirect to the application. */
    Future<Reply> receive(AuthorizationCallback callback) {
        if (callback.token().isEmpty()) {
            return Future.succeededFuture(pages.unknown(callback));
        }
        var token = callback.token().get();
        return projects.find(database, token.project())
                .compose(known -> known.isEmpty()
                        ? Future.succeededFuture(pages.unknown(callback))
                        : receive(known.map(CachedProject::project).get(), token, callback));
    }

    private Future<Reply> receive(Project project, StateToken token, AuthorizationCallback callback) {
        return states.claim(database.writes(), token, callback.network(), false, callback.address(), clock.instant())
                .compose(claimed -> claimed.isEmpty()
                        ? askOrRefuse(project, token, callback)
                        : finish(project, token, claimed.get(), callback, false));
    }

    /**
     * A sign in that ends in a different network from the one it started in may be an attack: the person who started it
     * would get the session of the person who finishes it. But a browser can change networks, so we ask the user.
     */
    private Future<Reply> askOrRefuse(Project project, StateToken token, AuthorizationCallback callback) {
        return states.waiting(database.writes(), token, clock.instant())
                .map(found -> found.filter(waiting -> waiting.heldSession() == null
                        && waiting.state().redirectUri().equals(callback.address())))
                .compose(waiting -> waiting.isPresent()
                        ? ask(project, token, waiting.get().state(), callback)
                        : onPageOrUnknown(project, token, callback));
    }

    /**
     * A page of this server recognises the browser by its cookie, so it does not ask, and finishes the sign in itself.
     */
    private Future<Reply> onPageOrUnknown(Project project, StateToken token, AuthorizationCallback callback) {
        return states.page(database.writes(), token, callback.address(), clock.instant())
                .map(page -> page.isEmpty()
                        ? pages.unknown(callback)
                        : Reply.redirect(pageResponses.carry(page.get(), project.id(), token, callback.answer())));
    }

    /** The form carries the parameters of the provider, which are used only after the user has agreed. */
    private Future<Reply> ask(Project project, StateToken token, OauthState state, AuthorizationCallback callback) {
        var answer = callback.answer();
        var fields = new LinkedHashMap<String, String>();
        fields.put("state", token.text());
        fields.put(OauthFields.CONSENT, consents.toContinue(token, answer));
        answer.code().ifPresent(code -> fields.put("code", code));
        answer.error().ifPresent(error -> fields.put("error", error));
        if (answer.issuer() != null) {
            fields.put("iss", answer.issuer());
        }
        if (answer.postedUser() != null) {
            fields.put("user", answer.postedUser());
        }
        var answers =
                new Answers(fields, state.returnUrl().map(RedirectUrl::origin).orElse(null));
        return pages.reader(database, project, callback).map(reader -> pages.ask(reader, state.beginning(), answers));
    }

    /** The user may have agreed that the session goes to the person who began the sign in. */
    Future<Reply> finish(
            Project project, StateToken token, OauthState state, AuthorizationCallback callback, boolean hasAgreed) {
        var browser = new ReturnedBrowser(project, token, state, callback, hasAgreed);
        var response = new AuthorizationResponse(token, state, callback.answer(), pkce.serverVerifier(token), null);
        return signIn.run(project, response, callback.device(), project.language(callback.acceptLanguage()))
                .compose(result -> result instanceof Completed completed
                        ? complete(browser, completed)
                        : fail(browser, ProviderSignIn.refusal(result).message()))
                .recover(failure -> failure instanceof ApiException refused
                        ? fail(browser, refused.message())
                        : fail(browser, INTERNAL_ERROR).compose(ignored -> Future.failedFuture(failure)));
    }

    private Future<Reply> complete(ReturnedBrowser browser, Completed completed) {
        return states.complete(
                        database.writes(),
                        browser.token(),
                        completed.session(),
                        completed.user().id(),
                        clock.instant().plus(FETCH_TIME))
                .compose(recorded -> ending(browser).signedIn(browser, completed));
    }

    private Future<Reply> fail(ReturnedBrowser browser, String message) {
        return states.fail(
                        database.writes(),
                        browser.token(),
                        message,
                        clock.instant().plus(FETCH_TIME))
                .compose(recorded -> ending(browser).failed(browser, message));
    }

    private SignInEnding ending(ReturnedBrowser browser) {
        return browser.state().flow() == Flow.REDIRECT ? redirect : popup;
    }
}
