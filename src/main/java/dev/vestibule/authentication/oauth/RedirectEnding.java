package dev.vestibule.authentication.oauth;

import dev.vestibule.authentication.oauth.OauthPages.ApplicationRedirect;
import dev.vestibule.database.Database;
import dev.vestibule.http.Reply;
import dev.vestibule.project.ApiVariant;
import dev.vestibule.token.SignInResult.Completed;
import dev.vestibule.token.TokenIssuer;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Sends the browser on to the page that the application named; without one, as for an app, ends on a page of our own.
 */
final class RedirectEnding implements SignInEnding {
    private static final String STATE = "authon_oauth_state";
    private static final String ERROR = "authon_oauth_error";

    private final Database database;
    private final TokenIssuer tokens;
    private final OauthPages pages;
    private final PopupEnding withoutPage;
    private final RedirectUrl ownRedirect;

    RedirectEnding(
            Database database, TokenIssuer tokens, OauthPages pages, PopupEnding withoutPage, RedirectUrl ownRedirect) {
        this.database = database;
        this.tokens = tokens;
        this.pages = pages;
        this.withoutPage = withoutPage;
        this.ownRedirect = ownRedirect;
    }

    @Override
    public Future<Reply> signedIn(ReturnedBrowser browser, Completed completed) {
        var returnTo = browser.state().returnUrl();
        if (returnTo.isEmpty()) {
            return pages.reader(database, browser.project(), browser.callback()).map(pages::signedIn);
        }
        var url = with(returnTo.get(), STATE, browser.token().text());
        return isOfThisServer(returnTo.get())
                ? tokens.open(database.reads(), browser.project(), ApiVariant.A, completed)
                        .compose(issued ->
                                continueToApplication(browser, ApplicationRedirect.to(url, browser.token(), issued)))
                : Future.succeededFuture(Reply.redirect(url));
    }

    @Override
    public Future<Reply> failed(ReturnedBrowser browser, String message) {
        var returnTo = browser.state().returnUrl();
        if (returnTo.isEmpty()) {
            return withoutPage.failed(browser, message);
        }
        return isOfThisServer(returnTo.get())
                ? continueToApplication(
                        browser,
                        ApplicationRedirect.to(
                                with(returnTo.get(), STATE, browser.token().text()), browser.token(), message))
                : Future.succeededFuture(Reply.redirect(with(returnTo.get(), ERROR, message)));
    }

    private Future<Reply> continueToApplication(ReturnedBrowser browser, ApplicationRedirect onward) {
        return pages.reader(database, browser.project(), browser.callback())
                .map(reader -> pages.continueToApplication(reader, onward));
    }

    /** Only on this origin can our page leave the outcome where the application finds it. */
    private boolean isOfThisServer(RedirectUrl returnTo) {
        return returnTo.origin().equals(ownRedirect.origin());
    }

    private static String with(RedirectUrl returnTo, String parameter, String value) {
        return returnTo.with(
                parameter, URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
    }
}
