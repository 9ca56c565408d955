package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.OauthPages.Answers;
import dev.vestibule.authentication.oauth.OauthPages.Receivers;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.project.Project;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import java.util.Map;

/** A page that hands the outcome over to the window that opened it. */
final class PopupEnding implements SignInEnding {
    private final Database database;
    private final TokenIssuer tokens;
    private final ConsentTokens consents;
    private final OauthPages pages;
    private final RedirectUrl ownRedirect;

    PopupEnding(
            Database database, TokenIssuer tokens, ConsentTokens consents, OauthPages pages, RedirectUrl ownRedirect) {
        this.database = database;
        this.tokens = tokens;
        this.consents = consents;
        this.pages = pages;
        this.ownRedirect = ownRedirect;
    }

    @Override
    public Future<Reply> signedIn(ReturnedBrowser browser, Completed completed) {
        var project = browser.project();
        var token = browser.token();
        var answers = new Answers(
                Map.of("state", token.text(), OauthFields.CONSENT, consents.toHandOver(token, completed.session())),
                null);
        return tokens.open(database.reads(), project, ApiVariant.A, completed)
                .compose(issued -> pages.reader(database, project, browser.callback())
                        .map(reader -> pages.success(
                                reader,
                                receivers(project),
                                issued,
                                browser.state().beginning(),
                                answers,
                                browser.hasAgreed())));
    }

    @Override
    public Future<Reply> failed(ReturnedBrowser browser, String message) {
        return pages.reader(database, browser.project(), browser.callback())
                .map(reader -> pages.failure(reader, receivers(browser.project()), message));
    }

    /** Only pages of allowed origins can call the API, so if a project lists some, one of them opened the popup. */
    private Receivers receivers(Project project) {
        return new Receivers(
                new RedirectRules(project, ownRedirect).origins(),
                !project.allowedOrigins().isEmpty());
    }
}
